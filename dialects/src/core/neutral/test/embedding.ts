import type { EmbeddingAnswering, NeutralEmbedding } from '../embedding'

/** A call for the vectors of two texts. */
export const anEmbedding = (change: Partial<NeutralEmbedding> = {}): NeutralEmbedding => ({
  model: 'm',
  inputs: ['apple', 'stone'],
  isBatch: true,
  dimensions: null,
  encoding: 'float',
  task: null,
  title: null,
  user: null,
  own: {},
  ...change,
})

/** What its answer is written for. */
export const answeringAnEmbedding = (change: Partial<NeutralEmbedding> = {}, model = 'mine'): EmbeddingAnswering => ({
  model,
  newId: (prefix) => `${prefix}1`,
  call: anEmbedding(change),
})
