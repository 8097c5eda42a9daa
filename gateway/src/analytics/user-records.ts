import { ByteReader } from './bytes'
import { figures, spans } from './dimensions'

/** What a user used in some hours. */
export interface UserRecord {
  /** Their first second. */
  readonly start: number
  readonly userId: number
  /** In the order of `figures`. */
  readonly amounts: readonly number[]
}

/**
 * Records of one day as bytes; records that are appended to others are among them. A record is the hour of the day it begins with (a byte), the user,
 * how many bytes follow (a byte), and the figures. Numbers are whole, seven bits a byte, the lowest first, and each byte
 * of a number but its last has the highest bit set.
 */
export function packRecords(records: readonly UserRecord[]): Uint8Array {
  const bytes: number[] = []
  for (const { start, userId, amounts } of records) {
    bytes.push((start % spans.day) / spans.hour)
    writeNumber(bytes, userId)
    const lengthAt = bytes.push(0) - 1
    for (const amount of amounts) writeNumber(bytes, amount)
    bytes[lengthAt] = bytes.length - lengthAt - 1
  }
  return Uint8Array.from(bytes)
}

/** What is no whole number from 0 on is written as 0: no charge is to wait for a figure that cannot be. */
function writeNumber(bytes: number[], value: number): void {
  let left = Number.isSafeInteger(value) && value > 0 ? value : 0
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  bytes.push(left)
}

/** The amounts are a list that is used again for the next record. */
export type VisitRecord = (start: number, userId: number, amounts: Float64Array) => void

/** Users that are asked about. */
export interface Users {
  has(userId: number): boolean
}

const everybody: Users = { has: () => true }

/** Each record of a day that begins at `day` (seconds), of all users or of some. */
export function readRecords(bytes: Uint8Array, day: number, visit: VisitRecord, users = everybody): void {
  const reader = new ByteReader(bytes)
  const amounts = new Float64Array(figures.length)
  while (reader.at < bytes.length) {
    const start = day + reader.byte() * spans.hour
    const userId = reader.number()
    const length = reader.byte()
    if (!users.has(userId)) {
      reader.at += length
      continue
    }
    for (let place = 0; place < amounts.length; place += 1) amounts[place] = reader.number()
    visit(start, userId, amounts)
  }
}
