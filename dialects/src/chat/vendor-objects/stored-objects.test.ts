import { expect, test } from 'bun:test'

import { withSingleElements } from '../../core/shared/test/single-elements'
import { objectNames, withObjectIds } from './stored-objects'

const createMessages = (content: unknown) => [{ role: 'user', content }]
const findIds = (body: object) => objectNames({ ...body }).map(({ id }) => id)

/** Kind of object, dialect, request that names `it`. */
const namedBy: readonly (readonly [kind: string, dialect: string, body: object])[] = [
  ['response', 'responses', { previous_response_id: 'it' }],
  ['conversation', 'responses', { conversation: 'it' }],
  ['conversation', 'responses', { conversation: { id: 'it' } }],
  ['prompt', 'responses', { prompt: { id: 'it' } }],
  ['file', 'responses', { prompt: { variables: { doc: { type: 'input_file', file_id: 'it' } } } }],
  ['item', 'responses', { input: [{ type: 'item_reference', id: 'it' }] }],
  ['item', 'responses', { input: [{ id: 'it' }] }],
  ['item', 'responses', { input: [{ type: 'reasoning', id: 'it', summary: [] }] }],
  ['item', 'responses', { input: [{ type: 'image_generation_call', id: 'it' }] }],
  ['item', 'responses', { input: [{ type: 'mcp_approval_response', approval_request_id: 'it', approve: true }] }],
  ['file', 'responses', { input: createMessages([{ type: 'input_file', file_id: 'it' }]) }],
  ['file', 'responses', { input: createMessages([{ type: 'input_image', file_id: 'it' }]) }],
  ['file', 'responses', { input: [{ type: 'function_call_output', output: [{ type: 'input_file', file_id: 'it' }] }] }],
  ['file', 'responses', { input: [{ type: 'computer_call_output', output: { file_id: 'it' } }] }],
  ['container', 'responses', { input: [{ type: 'code_interpreter_call', container_id: 'it' }] }],
  ['vector store', 'responses', { tools: [{ type: 'file_search', vector_store_ids: ['it'] }] }],
  ['container', 'responses', { tools: [{ type: 'code_interpreter', container: 'it' }] }],
  ['file', 'responses', { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['it'] } }] }],
  ['container', 'responses', { tools: [{ type: 'shell', environment: { container_id: 'it' } }] }],
  ['skill', 'responses', { tools: [{ type: 'shell', environment: { skills: [{ skill_id: 'it' }] } }] }],
  ['file', 'responses', { tools: [{ type: 'image_generation', input_image_mask: { file_id: 'it' } }] }],
  ['file', 'chat', { messages: createMessages([{ type: 'file', file: { file_id: 'it' } }]) }],
  ['file', 'chat', { messages: [{ role: 'system', content: 'fileid://it' }] }],
  ['file', 'chat', { messages: createMessages([{ type: 'text', text: 'fileid://it' }]) }],
  ['recording', 'chat', { messages: [{ role: 'assistant', audio: { id: 'it' } }] }],
  ['film', 'chat', { messages: createMessages([{ type: 'video_url', video_url: { url: 'ms://it' } }]) }],
  [
    'index',
    'chat',
    {
      data_sources: [
        { parameters: { index_name: 'it', authentication: { type: 'system_assigned_managed_identity' } } },
      ],
    },
  ],
  ['knowledge', 'chat', { tools: [{ type: 'retrieval', retrieval: { knowledge_id: 'it' } }] }],
  ['knowledge', 'chat', { tools: [{ type: 'document_library', library_ids: ['it'] }] }],
  ['context', 'chat', { context_id: 'it' }],
  ['container', 'messages', { container: 'it' }],
  ['container', 'messages', { container: { id: 'it' } }],
  ['skill', 'messages', { container: { skills: [{ type: 'custom', skill_id: 'it' }] } }],
  ['file', 'messages', { messages: createMessages([{ type: 'document', source: { type: 'file', file_id: 'it' } }]) }],
  ['file', 'messages', { messages: createMessages([{ type: 'container_upload', file_id: 'it' }]) }],
  [
    'file',
    'messages',
    {
      messages: createMessages([
        { type: 'tool_result', content: [{ type: 'image', source: { type: 'file', file_id: 'it' } }] },
      ]),
    },
  ],
  [
    'file',
    'messages',
    {
      messages: createMessages([
        {
          type: 'document',
          source: { type: 'content', content: [{ type: 'image', source: { type: 'file', file_id: 'it' } }] },
        },
      ]),
    },
  ],
  ['cache', 'gemini', { cachedContent: 'it' }],
  ['cache', 'gemini', { cached_content: 'it' }],
  ['file', 'gemini', { contents: [{ parts: [{ fileData: { fileUri: 'files/it' } }] }] }],
  ['file', 'gemini', { system_instruction: { parts: [{ file_data: { file_uri: 'files/it' } }] } }],
  [
    'file',
    'gemini',
    { contents: [{ parts: [{ functionResponse: { parts: [{ fileData: { fileUri: 'files/it' } }] } }] }] },
  ],
  ['store', 'gemini', { tools: [{ fileSearch: { fileSearchStoreNames: ['it'] } }] }],
  ['data store', 'gemini', { tools: [{ retrieval: { vertexAiSearch: { datastore: 'it' } } }] }],
  ['corpus', 'gemini', { tools: [{ retrieval: { vertex_rag_store: { rag_resources: [{ rag_corpus: 'it' }] } } }] }],
  [
    'secret',
    'gemini',
    { tools: [{ retrieval: { externalApi: { apiAuth: { apiKeyConfig: { apiKeySecretVersion: 'it' } } } } }] },
  ],
  ['file', 'images', { images: [{ file_id: 'it' }] }],
  ['file', 'images', { mask: { file_id: 'it' } }],
]
const alone = namedBy.map(([kind, dialect, body]) => [kind, dialect, withSingleElements(body) as object] as const)

test.each([...namedBy, ...alone])('a %s is found where a request of %s names it: %j', (_kind, _dialect, body) => {
  const [id = ''] = findIds(body)
  expect([id, findIds(body).length]).toEqual([expect.stringMatching(/^(?:files\/)?it$/), 1])
  const renamed = withObjectIds({ ...body }, new Map([[id, 'other']]))
  expect(JSON.stringify(renamed)).toBe(
    JSON.stringify(body)
      .replaceAll(`"${id}"`, '"other"')
      .replace(/(fileid|ms):\/\/it/, '$1://other'),
  )
})

test('files of an account are found by their address, and public addresses name nothing', () => {
  const read = (fileUri: string) => findIds({ contents: [{ parts: [{ fileData: { fileUri } }] }] })
  const own = ['gs://bucket/a.pdf', 'files/1', 'https://generativelanguage.googleapis.com/v1beta/files/1']
  expect(own.map((uri) => read(uri))).toEqual(own.map((uri) => [uri]))
  expect(read('https://www.youtube.com/watch?v=1')).toEqual([])
  expect(findIds({ contents: [{ parts: [{ file_data: { file_uri: 'gs://b/c' } }] }] })).toEqual(['gs://b/c'])
})

test.each<[string, (address: string) => object]>([
  ['chat', (url) => ({ messages: createMessages([{ type: 'image_url', image_url: { url } }]) })],
  ['chat', (url) => ({ messages: createMessages([{ type: 'video_url', video_url: url }]) })],
  ['messages', (url) => ({ messages: createMessages([{ type: 'document', source: { type: 'url', url } }]) })],
  [
    'messages',
    (url) => ({
      messages: createMessages([
        { type: 'document', source: { type: 'content', content: [{ type: 'image', source: { type: 'url', url } }] } },
      ]),
    }),
  ],
  ['chat', (url) => ({ messages: createMessages([{ type: 'file', file: { file_data: url } }]) })],
  ['responses', (url) => ({ input: createMessages([{ type: 'input_image', image_url: { url } }]) })],
  ['responses', (url) => ({ input: createMessages([{ type: 'input_image', image_url: url }]) })],
  ['responses', (url) => ({ input: createMessages([{ type: 'input_file', file_url: url }]) })],
  ['images', (url) => ({ images: [{ image_url: url }] })],
  ['images', (url) => ({ image: url })],
  ['documents', (url) => ({ document: { type: 'document_url', document_url: url } })],
  ['predictions', (gcsUri) => ({ instances: [{ referenceImages: [{ referenceImage: { gcsUri } }] }] })],
  ['embeddings', (fileUri) => ({ requests: [{ content: { parts: [{ fileData: { fileUri } }] } }] })],
])('a file of an account is found by its address in a request of %s', (_dialect, bodyOf) => {
  for (const address of ['gs://bucket/a.png', 'https://generativelanguage.googleapis.com/v1beta/files/1'])
    expect(findIds(bodyOf(address))).toEqual([address])
})

test('several files in one message are found', () => {
  expect(findIds({ messages: [{ role: 'system', content: 'fileid://file-fe-1,fileid://file-fe-2' }] })).toEqual([
    'file-fe-1',
    'file-fe-2',
  ])
})

test.each<[string, object]>([
  [
    'plain texts',
    { messages: createMessages('conversation'), input: 'previous_response_id', prompt: 'draw fileid://x' },
  ],
  ['tools of the client', { tools: [{ type: 'function', function: { parameters: { properties: { file_id: {} } } } }] }],
  ['arguments of tools', { messages: createMessages([{ type: 'tool_use', input: { file_id: 'x', container: 'y' } }]) }],
  ['a drawing that the request carries', { input: [{ type: 'image_generation_call', id: 'ig_1', result: 'AAAA' }] }],
  ['messages with ids of their own', { input: [{ type: 'message', id: 'msg_1', role: 'assistant', content: [] }] }],
  ['messages without a type', { input: [{ id: 'msg_1', role: 'user', content: 'hi' }] }],
  ['skills of the vendor', { container: { skills: [{ type: 'anthropic', skill_id: 'xlsx' }] } }],
  ['containers that the vendor makes', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
  ['members without a value', { previous_response_id: null, conversation: null, container: null }],
  ['tokens', { input: [[1, 2, 3], [4]] }],
  ['pictures at an address', { messages: createMessages([{ image_url: { url: 'https://a.example/ms://x' } }]) }],
  [
    'an index that is read with a key of the caller',
    { data_sources: [{ parameters: { index_name: 'x', authentication: { type: 'api_key', key: 'k' } } }] },
  ],
])('%s name nothing in an account', (_what, body) => {
  expect(objectNames({ ...body })).toEqual([])
  expect(withObjectIds({ ...body }, new Map([['x', 'z']]))).toEqual({ ...body })
})

test('a name counts once, as needed where one of its places needs it', () => {
  const body = {
    input: [
      { type: 'reasoning', id: 'rs_1' },
      { type: 'item_reference', id: 'rs_1' },
      { type: 'reasoning', id: 'rs_2' },
    ],
  }
  expect(objectNames(body)).toEqual([
    { id: 'rs_1', place: 'input.id', isRedundant: false, isSealed: false },
    { id: 'rs_2', place: 'input.id', isRedundant: true, isSealed: false },
  ])
})
