const headerBytes = 44
const sampleBytes = 2

/** Returns a WAV file of these samples: one channel of 16 bits. */
export function waveOf(pcm: Uint8Array, samplesPerSecond: number): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(headerBytes + pcm.byteLength)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(headerBytes - 8 + pcm.byteLength, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(samplesPerSecond, 24)
  file.writeUInt32LE(samplesPerSecond * sampleBytes, 28)
  file.writeUInt16LE(sampleBytes, 32)
  file.writeUInt16LE(sampleBytes * 8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(pcm.byteLength, 40)
  file.set(pcm, headerBytes)
  return file
}
