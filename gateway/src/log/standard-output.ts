import { fstatSync, writeSync } from 'node:fs'
import type * as Terminals from 'node:tty'

/** Takes the lines of a log. */
export interface LineStream {
  /** A person reads it. */
  readonly isTTY: boolean
  write(text: string): void
}

/** Where lines go: standard output, and standard error for what ends the process. */
export interface LineOutput {
  readonly stdout: LineStream
  readonly stderr: LineStream
}

/**
 * The process's own. The runtime's `process.stdout` takes 1.5 MB of memory in each process, for a few lines a day: these write
 * to the descriptor. Whoever read the log may have gone, and the calls go on: what cannot be written is lost.
 */
export const standardOutput: LineOutput = { stdout: lineStream(1), stderr: lineStream(2) }

function lineStream(descriptor: number): LineStream {
  let isTTY: boolean | undefined
  /** Whoever reads it was waited for in vain. */
  let isStuck = false
  return {
    get isTTY() {
      return (isTTY ??= isTerminal(descriptor))
    },
    write(text) {
      isStuck = !writeAll(descriptor, Buffer.from(text), isStuck ? 1 : tries)
    },
  }
}

/** What is no character device is no terminal, which spares most gateways the module that tells. */
function isTerminal(descriptor: number): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false
  } catch {
    return false
  }
  const { isatty }: typeof Terminals = require('node:tty')
  return isatty(descriptor)
}

/** A full pipe is waited for so often and so long before the rest of a line is given up; then lines are lost until it has room. */
const tries = 50
const pauseMs = 2

/** Returns whether all was written. */
function writeAll(descriptor: number, bytes: Buffer, tries: number): boolean {
  let written = 0
  for (let failures = 0; written < bytes.length;) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      failures += 1
      if (failures >= tries || !(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return false
      Bun.sleepSync(pauseMs)
    }
  }
  return true
}
