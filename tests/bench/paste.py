"""Client of the billing service."""

import logging

import requests
from tenacity import (
    before_sleep_log,
    retry,
    retry_if_exception_type,
    stop_after_attempt,
    stop_after_delay,
    wait_random_exponential,
)

log = logging.getLogger(__name__)


class Billing:
    def __init__(self, address, timeout=5):
        self.address = address
        self.session = requests.Session()
        self.timeout = timeout

    @retry(
        wait=wait_random_exponential(multiplier=0.5, max=30),
        stop=stop_after_attempt(7) | stop_after_delay(120),
        retry=retry_if_exception_type((requests.ConnectionError, requests.Timeout)),
        before_sleep=before_sleep_log(log, logging.WARNING),
        reraise=True,
    )
    def create_invoice(self, order):
        answer = self.session.post(
            f"{self.address}/invoices",
            json={"order": order.id, "amount": order.amount, "currency": "EUR"},
            timeout=self.timeout,
        )
        answer.raise_for_status()
        return answer.json()["invoice"]
