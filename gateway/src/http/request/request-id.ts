import type { Context } from '../../context'

/** Crockford's base 32: sorts by value, without letters that are easily confused. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const timeDigits = 10
const randomDigits = 16

let lastTime = -1
let lastTimeText = ''

/** Returns a new call id: 26 characters, 10 of the time in milliseconds and 16 random, so that later ones sort later. */
export function newRequestId({ clock, random }: Pick<Context, 'clock' | 'random'>): string {
  const bytes = random.bytes(randomDigits)
  let id = timeText(clock.now())
  for (let at = 0; at < randomDigits; at += 1) id += digits[(bytes[at] ?? 0) & 31]
  return id
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const responseIdLetters = 24

/** Returns a new id of a response or of a part of it, in the vendors' style: a prefix followed by letters and digits. */
export function newResponseId({ random }: Pick<Context, 'random'>, prefix: string): string {
  let id = prefix
  for (const byte of random.bytes(responseIdLetters)) id += letters.charAt(byte % letters.length)
  return id
}

/** Under load many calls share a millisecond. */
function timeText(time: number): string {
  if (time === lastTime) return lastTimeText
  let rest = Math.floor(time)
  let text = ''
  for (let index = 0; index < timeDigits; index++) {
    text = digits.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  lastTime = time
  lastTimeText = text
  return text
}
