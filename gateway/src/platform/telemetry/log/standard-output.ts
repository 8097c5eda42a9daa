import { fstatSync, writeSync } from 'node:fs'
import type * as Terminals from 'node:tty'

/** Takes the lines of a log. */
export interface LineStream {
  /** Lines are read by a person. */
  readonly isTTY: boolean
  write(text: string): void
}

/** The destinations of lines: standard output, and standard error for what ends the process. */
export interface LineOutput {
  readonly stdout: LineStream
  readonly stderr: LineStream
}

class DescriptorStream implements LineStream {
  readonly #descriptor: number
  #isTTY: boolean | undefined
  /** The last write gave up: the reader does not read. */
  #isStuck = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  get isTTY(): boolean {
    return (this.#isTTY ??= isTerminal(this.#descriptor))
  }

  write(text: string): void {
    this.#isStuck = !writeAll(this.#descriptor, Buffer.from(text), this.#isStuck ? 1 : tries)
  }
}

/**
 * Writes to the process's own descriptors: the runtime's `process.stdout` takes 1.5 MB of memory in each process, for a few lines a day.
 * What cannot be written is lost: a log without a reader must not stop calls.
 */
export const standardOutput: LineOutput = { stdout: new DescriptorStream(1), stderr: new DescriptorStream(2) }

/** Only a character device can be a terminal: most gateways never load `node:tty`. */
function isTerminal(descriptor: number): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false
  } catch {
    return false
  }
  const { isatty }: typeof Terminals = require('node:tty')
  return isatty(descriptor)
}

/** How often and how long to wait for a full pipe before giving up the rest of a line. Then lines are lost until it has room. */
const tries = 50
const pauseMs = 2

/** Returns whether everything was written. */
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
