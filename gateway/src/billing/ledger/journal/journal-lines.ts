import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
  fstatSync,
} from 'node:fs'
import { dirname } from 'node:path'

import type { Durability } from '../../../platform/store/database'

const newline = 0x0a
const chunkBytes = 1_048_576

/** In place of a closed file's number, which another file may have by then: what is written late fails. */
export const noFile = -1

/** A whole line, without its end. */
export interface Line {
  readonly text: string
  /** Where the next one begins. */
  readonly end: number
}

/** A file of lines that grows at its end. What is behind `size` was never promised, and the next line is written over it. */
export class JournalLines {
  #descriptor: number
  #size: number

  /** @throws Error of the file system. */
  constructor(
    readonly path: string,
    readonly durability: Durability,
  ) {
    closeSync(openSync(path, 'a', 0o600))
    if (durability === 'power') syncFolderOf(path)
    this.#descriptor = openSync(path, 'r+')
    this.#size = fstatSync(this.#descriptor).size
  }

  get size(): number {
    return this.#size
  }

  /** All of it is in the file when it returns, none when it throws. */
  append(lines: string): void {
    const bytes = Buffer.from(lines)
    try {
      writeWhole(this.#descriptor, bytes, this.#size)
      if (this.durability === 'power') fdatasyncSync(this.#descriptor)
    } catch (error) {
      this.#cutBack()
      throw error
    }
    this.#size += bytes.length
  }

  /** Yields the lines from a position on. Ends before a line without an end. */
  from(start: number): Generator<Line> {
    return linesOf(this.#descriptor, start, this.#size)
  }

  /** Forgets what is behind a position, and returns it as text. */
  cut(position: number): string {
    const bytes = Buffer.alloc(this.#size - position)
    readSync(this.#descriptor, bytes, 0, bytes.length, position)
    this.#size = position
    this.#cutBack()
    return bytes.toString('utf8')
  }

  /** Puts other lines in place of all of them, at once. @throws Error of the file system; then it has the same lines as before, or all of the others. */
  replace(lines: Iterable<string>): void {
    const next = `${this.path}-next`
    const descriptor = openSync(next, 'w+', 0o600)
    let size = 0
    try {
      for (const text of joinLines(lines)) {
        const bytes = Buffer.from(text)
        writeWhole(descriptor, bytes, size)
        size += bytes.length
      }
      fdatasyncSync(descriptor)
      renameSync(next, this.path)
    } catch (error) {
      closeSync(descriptor)
      rmSync(next, { force: true })
      throw error
    }
    closeSync(this.#descriptor)
    this.#descriptor = descriptor
    this.#size = size
    if (this.durability === 'power') syncFolderOf(this.path)
  }

  clear(): void {
    ftruncateSync(this.#descriptor, 0)
    this.#size = 0
  }

  /** Writes something that does not matter. @throws when the disk takes nothing. */
  probe(bytes: number): void {
    try {
      writeWhole(this.#descriptor, Buffer.alloc(bytes), this.#size)
      if (this.durability === 'power') fdatasyncSync(this.#descriptor)
    } finally {
      this.#cutBack()
    }
  }

  close(): void {
    closeSync(this.#descriptor)
    this.#descriptor = noFile
  }

  #cutBack(): void {
    try {
      ftruncateSync(this.#descriptor, this.#size)
    } catch {
      // It is written over.
    }
  }
}

/** Yields the lines of a file between two positions. Ends before a line without an end. */
export function* linesOf(descriptor: number, start: number, end: number): Generator<Line> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  // Pieces of a line that goes on behind its chunk: it is joined once, however long it is.
  let pieces: Buffer[] = []
  let position = start
  for (let readTo = start; readTo < end;) {
    const read = readSync(descriptor, chunk, 0, Math.min(chunkBytes, end - readTo), readTo)
    if (read === 0) return
    readTo += read
    const bytes = chunk.subarray(0, read)
    let from = 0
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
      const line = Buffer.concat([...pieces, bytes.subarray(from, at)])
      position += line.length + 1
      yield { text: line.toString('utf8'), end: position }
      pieces = []
      from = at + 1
    }
    pieces.push(Buffer.from(bytes.subarray(from)))
  }
}

/** A file's name is as durable as its folder. */
function syncFolderOf(path: string): void {
  const descriptor = openSync(dirname(path), 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A disk that is nearly full takes a part without an error. */
function writeWhole(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length;) {
    const count = writeSync(descriptor, bytes, written, bytes.length - written, position + written)
    if (count === 0) throw new Error('The disk takes nothing')
    written += count
  }
}

/** The same lines, about a chunk at a time. */
function* joinLines(lines: Iterable<string>): Generator<string> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < chunkBytes) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}
