import { closeSync, openSync } from 'node:fs'

const codes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE'])

/**
 * Returns whether this process can open no more files. A socket is one as well, but the runtime then reports a connection that was refused,
 * as if the other side were to blame.
 */
export function isOutOfFiles(): boolean {
  try {
    closeSync(openSync(process.execPath, 'r'))
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && codes.has(error.code)
  }
}
