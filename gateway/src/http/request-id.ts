import type { Context } from '../context'

/** Crockford's base 32: sorts as it counts, without letters that are mistaken for others. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const timeDigits = 10
const randomDigits = 16

let lastTime = -1
let lastTimeText = ''

/** A new name for a call: 26 characters, 10 of the time in milliseconds and 16 random, so that later ones sort later. */
export function newRequestId({ clock, random }: Pick<Context, 'clock' | 'random'>): string {
  const bytes = random.bytes(randomDigits)
  let id = timeText(clock.now())
  for (let at = 0; at < randomDigits; at += 1) id += digits[(bytes[at] ?? 0) & 31]
  return id
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const answerIdLetters = 24

/** A new name of an answer or of a part of it, as vendors write them: a prefix with letters and digits behind it. */
export function newAnswerId({ random }: Pick<Context, 'random'>, prefix: string): string {
  let id = prefix
  for (const byte of random.bytes(answerIdLetters)) id += letters.charAt(byte % letters.length)
  return id
}

/** Under load many calls share a millisecond. */
function timeText(time: number): string {
  if (time === lastTime) return lastTimeText
  let rest = Math.floor(time)
  let text = ''
  for (let place = 0; place < timeDigits; place++) {
    text = digits.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  lastTime = time
  lastTimeText = text
  return text
}
