/**
 * Calls of the vendors' APIs that no channel can serve, by the beginning of their path. What they make is kept by one vendor, and no
 * later call tells which of several channels that was.
 */
const unsupported: readonly string[] = [
  '/v1/assistants',
  '/v1/batches',
  '/v1/containers',
  '/v1/conversations',
  '/v1/evals',
  '/v1/files',
  '/v1/fine-tunes',
  '/v1/fine_tuning',
  '/v1/messages/batches',
  '/v1/realtime/calls',
  '/v1/realtime/sessions',
  '/v1/realtime/transcription_sessions',
  '/v1/realtime/translations',
  '/v1/threads',
  '/v1/uploads',
  '/v1/vector_stores',
  '/v1/videos/characters',
  '/v1/videos/edits',
  '/v1/videos/extensions',
  '/upload/v1beta/files',
  '/v1beta/batches',
  '/v1beta/cachedContents',
  '/v1beta/corpora',
  '/v1beta/files',
  '/v1beta/fileSearchStores',
  '/v1beta/interactions',
  '/v1beta/tunedModels',
]

const modelAction =
  /^\/v1(?:beta|alpha)?\/models\/[^/]+:(?:batchGenerateContent|asyncBatchEmbedContent|predictLongRunning)$/

/** Returns whether a path without an endpoint belongs to a call of a vendor's API that is not served. */
export function isUnsupported(method: string, path: string): boolean {
  if (unsupported.some((start) => path === start || path.startsWith(`${start}/`))) return true
  if (path.startsWith('/v1/responses/') || modelAction.test(path)) return true
  return method === 'DELETE' && path.startsWith('/v1/models/')
}
