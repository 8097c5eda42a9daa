import { describe, expect, spyOn, test } from 'bun:test'

import { anMp3, aWav } from '../../../../test/recordings'
import { measuredSeconds } from './recordings'

const secondsOf = (bytes: Buffer<ArrayBuffer>, size = bytes.byteLength) => measuredSeconds({ bytes, size })

describe('measuring a recording', () => {
  test.each([
    ['WAV', aWav(2.5), 2.5],
    ['MP3', anMp3(61), 61],
  ])('returns the duration of the samples in a %s file', async (_, file, seconds) => {
    expect(await secondsOf(file)).toBeCloseTo(seconds, 0)
  })

  test('returns the duration of the bytes in a WAV file with placeholder lengths', async () => {
    const file = aWav(3)
    file.writeUInt32LE(0xffffffff, 4)
    file.writeUInt32LE(0xffffffff, 40)
    expect(await secondsOf(file)).toBeCloseTo(3, 1)
  })

  test('extrapolates a beginning to the whole', async () => {
    const file = anMp3(60)
    expect(await secondsOf(file.subarray(0, file.length / 4), file.length)).toBeCloseTo(60, 0)
    const wav = aWav(8)
    expect(await secondsOf(wav.subarray(0, 50_000), wav.length)).toBeCloseTo(8, 1)
  })

  test('measuring a recording gives the same duration however long the process was suspended or busy meanwhile', async () => {
    let aheadMs = 0
    const now = spyOn(performance, 'now').mockImplementation(() => (aheadMs += 10_000))
    try {
      expect(await secondsOf(anMp3(61))).toBeCloseTo(61, 0)
    } finally {
      now.mockRestore()
    }
  })

  test('trusts no header that implies an impossible bit rate', async () => {
    const file = anMp3(60)
    // A Xing header that claims ten frames.
    file.write('Xing', 36, 'latin1')
    file.writeUInt32BE(1, 40)
    file.writeUInt32BE(10, 44)
    expect(await secondsOf(file)).toBeGreaterThan(14)
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('what a fine recording '.repeat(100))],
    ['a head alone', aWav(1).subarray(0, 20)],
    ['zeros', Buffer.alloc(100_000)],
  ])('returns null for %s', async (_, file) => {
    expect(await secondsOf(file)).toBeNull()
  })
})
