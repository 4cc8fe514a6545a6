//! The module and the scripts as the packed page carries them: small. `www/unpack.js` undoes it.
//!
//! A module's code is sorted first: operations, numbers of locals, offsets, constants …, each kind in a part of its own.
//! Like stands beside like there and deflates a fifth smaller. Then seven bits go into each byte of the page.

use anyhow::{Context, Result, bail};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZeroU64;

/// How often the compressor goes over its choices: further rounds gain less than a thousandth.
const ROUNDS: u64 = 8;

/// Kinds of numbers in code, by the part that holds them.
const OPERATION: u8 = 1;
const LOCAL: u8 = 2;
const OFFSET: u8 = 3;
const FUNCTION: u8 = 4;
/// Shorter constants; none is in this part, see [`CONSTANT_BEFORE`].
const CONSTANT: u8 = 5;
/// Constants of three bytes and more: most are addresses.
const ADDRESS: u8 = 6;
const BRANCH: u8 = 7;
/// All others, and what is no number.
const OTHER: u8 = 8;
/// Constants, by the upper four bits of the operation behind them: what is added is an offset, what is stored …
const CONSTANT_BEFORE: u8 = 9;
const PARTS: usize = 25;

/// So many functions are called by their place in a list: as many as a byte of LEB128 can say.
const OFTEN: usize = 128;

/// Operations that no module has, from here to `CONST_ADDRESS`, stand for `local.get` of a small number: the difference.
const GET_LOCAL: u8 = 0xd3;
/// Stands before a load or store of another alignment than its own, with that alignment.
const UNALIGNED: u8 = 0xfd;
/// The alignments of loads and stores, from the operation 28 on, as the binary logarithm.
const ALIGNED: [u8; 23] = [2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2];
/// Stands for `i32.const` of an address.
const CONST_ADDRESS: u8 = 0xe8;
/// Added to what follows the operation `fc`.
const BEHIND_FC: u8 = 0xe9;

/// The kinds of the numbers that follow an operation, at most two: `0x21` is 1, then 2. None where an operation is not
/// known here.
fn kinds(operation: u8) -> Option<u8> {
    const TWO: u8 = 16;
    Some(match operation {
        // Blocks, globals, tables, size and growth of memory, i64.const, references; memory.fill and tables behind fc.
        0x02..=0x04 | 0x23..=0x26 | 0x3f | 0x40 | 0x42 | 0xd0 | 0xd2 | 0xf4 | 0xf8..=0xfa => OTHER,
        0x0c | 0x0d => BRANCH,
        // br_table: how many there are and the first; unpack.js takes the others.
        0x0e => BRANCH + TWO * BRANCH,
        0x10 => FUNCTION,
        // call_indirect, memory.copy.
        0x11 | 0xf3 => OTHER + TWO * OTHER,
        0x20..=0x22 => LOCAL,
        // Loads and stores, behind the alignment.
        0x28..=0x3e => OFFSET,
        0x41 => CONSTANT,
        CONST_ADDRESS => ADDRESS,
        0x00 | 0x01 | 0x05 | 0x0b | 0x0f | 0x1a | 0x1b | 0x43..=0xc4 | 0xe9..=0xf0 | 0xfc => 0,
        _ => return None,
    })
}

/// The bytes of a module with its code sorted.
pub fn sorted(module: &[u8]) -> Result<Vec<u8>> {
    let (before, code, after) = code_of(module)?;
    let mut parts = [const { Vec::new() }; PARTS];
    parts[0] = (0..=u8::MAX).map(|operation| kinds(operation).unwrap_or_default()).collect();
    let mut code = Bytes(code);
    let functions = code.number()?.1;
    for _ in 0..functions {
        let size = code.number()?.1;
        sort(Bytes(code.take(size)?), &mut parts)?;
    }
    parts[usize::from(FUNCTION)] = ranked(&parts[usize::from(FUNCTION)])?;
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).chain([before, after]).collect();
    let mut sorted = Vec::new();
    for length in [module.len(), functions].into_iter().chain(parts.iter().map(|part| part.len())) {
        sorted.extend(u32::try_from(length)?.to_le_bytes());
    }
    sorted.extend(parts.concat());
    Ok(sorted)
}

/// The numbers of called functions, behind a list of those that are called most: such a call is a place in the list, one
/// byte, and any other number stands behind the places.
fn ranked(calls: &[u8]) -> Result<Vec<u8>> {
    let (mut calls, mut numbers) = (Bytes(calls), Vec::new());
    while !calls.0.is_empty() {
        numbers.push(calls.number()?.1);
    }
    let mut counts = BTreeMap::new();
    numbers.iter().for_each(|number| *counts.entry(*number).or_insert(0) += 1);
    let mut often: Vec<usize> = counts.keys().copied().collect();
    often.sort_by_key(|number| Reverse(counts[number]));
    often.truncate(OFTEN);
    often.resize(OFTEN, 0);
    let place = |number: &usize| often.iter().position(|other| other == number).unwrap_or(number + OFTEN);
    let places: Vec<usize> = numbers.iter().map(place).collect();
    Ok(often.into_iter().chain(places).flat_map(leb).collect())
}

/// A number in LEB128.
fn leb(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// What stands before the functions (with their number), the functions (with their number), and what stands behind.
fn code_of(module: &[u8]) -> Result<(&[u8], &[u8], &[u8])> {
    let mut rest = Bytes(module.get(8..).context("a module begins with eight bytes")?);
    while let [id, ..] = *rest.0 {
        rest.take(1)?;
        let size = rest.number()?.1;
        let section = rest.take(size)?;
        if id == 10 {
            let counted = Bytes(section).number()?.0.len();
            let start = module.len() - rest.0.len() - size;
            return Ok((&module[..start + counted], section, rest.0));
        }
    }
    bail!("the module has no code")
}

/// Puts a function's bytes into the parts of their kinds.
fn sort(mut code: Bytes, parts: &mut [Vec<u8>; PARTS]) -> Result<()> {
    let mut constant = Vec::new();
    let mut put = |kind: u8, bytes: &[u8]| match kind {
        CONSTANT => constant.extend(bytes),
        _ => {
            if kind == OPERATION {
                parts[usize::from(CONSTANT_BEFORE + (bytes[0] >> 4))].append(&mut constant);
            }
            parts[usize::from(kind)].extend(bytes);
        }
    };
    let (groups, count) = code.number()?;
    put(OTHER, groups);
    for _ in 0..count {
        put(OTHER, code.number()?.0);
        put(OTHER, code.take(1)?);
    }
    while let [operation, ref follows @ ..] = *code.0 {
        code.take(1)?;
        let mut meant = match (operation, follows) {
            (0x20, &[local, ..]) if local < CONST_ADDRESS - GET_LOCAL => {
                code.take(1)?;
                put(OPERATION, &[GET_LOCAL + local]);
                continue;
            }
            (0x41, [first, second, ..]) if first.min(second) >= &0x80 => CONST_ADDRESS,
            (0x28..=0x3e, _) => {
                let alignment = code.take(1)?;
                if alignment[0] != ALIGNED[usize::from(operation - 0x28)] {
                    put(OPERATION, &[UNALIGNED, alignment[0]]);
                }
                operation
            }
            _ => operation,
        };
        put(OPERATION, &[meant]);
        if meant == 0xfc {
            let (behind, number) = code.number()?;
            put(OPERATION, behind);
            meant = BEHIND_FC + u8::try_from(number)?;
        }
        let kinds = kinds(meant).with_context(|| format!("unpack.js does not know the operation {meant:x}"))?;
        // What a br_table begins with is how many places it has beside the one for all else.
        let places = Bytes(code.0).number().map_or(0, |(_, value)| value);
        for kind in [kinds & 15, kinds >> 4].into_iter().filter(|kind| *kind > 0) {
            put(kind, code.number()?.0);
        }
        match operation {
            0x0e => (0..places).try_for_each(|_| code.number().map(|(bytes, _)| put(BRANCH, bytes)))?,
            0x43 => put(OTHER, code.take(4)?),
            0x44 => put(OTHER, code.take(8)?),
            _ => {}
        }
    }
    Ok(())
}

/// Bytes of a module that are still to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).context("the module ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next number in LEB128: its bytes, and its value where it is without a sign.
    fn number(&mut self) -> Result<(&'a [u8], usize)> {
        let length = 1 + self.0.iter().position(|byte| *byte < 0x80).context("the module ends in a number")?;
        let bytes = self.take(length)?;
        let value = bytes.iter().rev().fold(0_u128, |value, byte| value << 7 | u128::from(byte & 0x7f));
        Ok((bytes, value as usize))
    }
}

/// Characters that a script element changes or ends at, or that do something to a terminal. `www/unpack.js` has the same.
const AVOIDED: [u8; 14] = [0, 5, 7, 8, 11, 12, 13, 14, 15, 24, 26, 27, b'<', 127];

/// Bytes deflated, as a script element that holds data.
pub fn element(id: &str, bytes: &[u8]) -> Result<String> {
    let rounds =
        zopfli::Options { iteration_count: NonZeroU64::new(ROUNDS).context("no rounds")?, ..Default::default() };
    let mut deflated = Vec::new();
    zopfli::compress(rounds, zopfli::Format::Deflate, bytes, &mut deflated)?;
    let (size, text) = (deflated.len(), text(&deflated));
    Ok(format!("<script id=\"{id}\" type=\"application/octet-stream\" data-size=\"{size}\">{text}</script>"))
}

/// Seven bits a character. An avoided one goes together with the next seven bits into a character of two bytes.
fn text(bytes: &[u8]) -> String {
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
    let mut sevens = (0..bytes.len() * 8).step_by(7).map(|at| (at..at + 7).fold(0, |seven, at| seven << 1 | bit(at)));
    let mut text = String::new();
    while let Some(seven) = sevens.next() {
        match AVOIDED.iter().position(|avoided| *avoided == seven) {
            None => text.push(char::from(seven)),
            Some(which) => {
                let both = (which as u32 + 2) << 7 | u32::from(sevens.next().unwrap_or_default());
                text.extend(char::from_u32(both));
            }
        }
    }
    text
}
