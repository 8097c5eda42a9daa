/** Returns a WAV file of silence: 16,000 samples of two bytes a second. */
export function aWav(seconds: number): Buffer<ArrayBuffer> {
  const rate = 16_000
  const size = Math.round(seconds * rate) * 2
  const file = Buffer.alloc(44 + size)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(36 + size, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(size, 40)
  return file
}

const frameBytes = 417
const framesPerSecond = 44_100 / 1152

/** Returns an MP3 file of silence at 128 kilobits: frames of 1152 samples, 44,100 a second. */
export function anMp3(seconds: number): Buffer<ArrayBuffer> {
  const frames = Math.round(seconds * framesPerSecond)
  const file = Buffer.alloc(frames * frameBytes)
  for (let frame = 0; frame < frames; frame += 1) file.writeUInt32BE(0xfffb9000, frame * frameBytes)
  return file
}
