"""Gives documents to the system's own parser or to a checker that follows its published schema; an error says why not."""

import json
import os
import subprocess
import sys
import tempfile

import yaml
from google.protobuf import json_format


def protobuf(make):
    def check(text):
        json_format.ParseDict(yaml.safe_load(text), make())

    return check


def queue():
    from google.cloud import tasks_v2

    return tasks_v2.Queue.pb()()


def job():
    from google.cloud import scheduler_v1

    return scheduler_v1.Job.pb()()


def envoy(text):
    from envoy.config.route.v3 import route_components_pb2

    document = yaml.safe_load(text)
    route = document.get("route", document)
    json_format.ParseDict(route, route_components_pb2.RouteAction())


def argo(text):
    from hera.workflows.models import RetryStrategy, Template

    template = yaml.safe_load(text)["templates"][0]
    read = Template.model_validate(template).retry_strategy
    # The model passes over names that it does not know, so what it kept is compared.
    kept = RetryStrategy.model_validate(template["retryStrategy"]).model_dump(by_alias=True, exclude_none=True)
    assert read is not None and len(str(kept)) and set(kept) == set(template["retryStrategy"]), kept
    assert set(kept["backoff"]) == set(template["retryStrategy"]["backoff"]), kept


def cloudformation(text):
    from cfnlint.api import lint_all

    lines = "\n".join("    " + line for line in text.splitlines())
    matches = lint_all(f"Resources:\n  DeadLetters:\n    Type: AWS::SQS::Queue\n  Queue:\n{lines}\n")
    wrong = [match.message for match in matches if match.rule.id.startswith("E")]
    assert not wrong, wrong


def ansible(text):
    with tempfile.TemporaryDirectory() as folder:
        play = os.path.join(folder, "play.yml")
        with open(play, "w") as file:
            file.write("- hosts: localhost\n  gather_facts: false\n  tasks:\n")
            file.writelines(f"  {line}\n" for line in text.splitlines())
        program = os.path.join(os.path.dirname(sys.executable), "ansible-playbook")
        done = subprocess.run([program, "--syntax-check", play], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


CHECKS = {
    "gcp-cloud-tasks": (protobuf(queue), "google-cloud-tasks"),
    "gcp-cloud-scheduler": (protobuf(job), "google-cloud-scheduler"),
    "envoy": (envoy, "xds-protos"),
    "argo-workflows": (argo, "hera"),
    "aws-sqs-redrive": (cloudformation, "cfn-lint"),
    "ansible": (ansible, "ansible-core"),
}
