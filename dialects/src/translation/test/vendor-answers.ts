import type { JsonObject } from '../../core/json'
import type { DialectId } from '../../core/mode'
import { unknownMembers } from './unknown-kinds'

/** An answer with one thing in it, whole and as the events of a stream. */
export interface Sample {
  readonly name: string
  readonly whole: JsonObject
  readonly stream: readonly JsonObject[]
}

const sample = (name: string, whole: JsonObject, stream: readonly JsonObject[] = [whole]): Sample => ({
  name,
  whole,
  stream,
})
const labelOf = (value: JsonObject): string => JSON.stringify(value).slice(0, 80)

const baidu = (members: JsonObject): Sample =>
  sample(labelOf(members), { id: 'a', result: 'x', is_end: true, usage: {}, ...members })

const coze = (...events: readonly JsonObject[]): Sample => {
  const chat = { id: 'c', conversation_id: 'v' }
  const all = [
    { event: 'conversation.chat.created', ...chat },
    ...events.map((event) => ({ ...chat, ...event })),
    { event: 'conversation.chat.completed', ...chat, usage: {} },
  ]
  return sample(labelOf(events[0] ?? {}), { events: all }, all)
}
const message = (type: string, content: string, members: JsonObject = {}): JsonObject => ({
  event: 'conversation.message.completed',
  type,
  content,
  ...members,
})
const call = (name: string) => message('function_call', JSON.stringify({ name, arguments: {} }))

const dify = (...events: readonly JsonObject[]): Sample => {
  const all = [...events, { event: 'message_end', metadata: {} }].map((event) => ({ conversation_id: 'v', ...event }))
  return sample(labelOf(events[0] ?? {}), { events: all }, all)
}
const workflow = (data: JsonObject): Sample => {
  const chunk = { event: 'text_chunk', data: { text: 'Some words' } }
  const end = { event: 'workflow_finished', data: { status: 'succeeded', ...data } }
  return sample(labelOf(data), end, [chunk, end])
}
const drawn = { url: 'https://mark/a.png', type: 'image' }

const hunyuan = (members: JsonObject, ofChoice: JsonObject = {}): Sample => {
  const choice = { FinishReason: 'stop', ...ofChoice }
  const reported = { Role: 'assistant', Content: 'x' }
  return sample(
    labelOf({ ...members, ...ofChoice }),
    { Response: { Choices: [{ Message: reported, ...choice }], ...members } },
    [{ Choices: [{ Delta: reported, ...choice }], ...members }],
  )
}

const library = (members: JsonObject): Sample =>
  sample(labelOf(members), { success: true, answer: 'x', ...members }, [{ content: 'x', finish: true, ...members }])

const palm = (members: JsonObject, ofCandidate: JsonObject = {}): Sample =>
  sample(labelOf({ ...members, ...ofCandidate }), {
    candidates: [{ author: '1', content: 'x', ...ofCandidate }],
    ...members,
  })

const spark = (payload: JsonObject, ofText: JsonObject = {}, ofChoices: JsonObject = {}): Sample =>
  sample(labelOf({ ...payload, ...ofText, ...ofChoices }), {
    header: { code: 0, status: 2 },
    payload: { choices: { status: 2, text: [{ content: 'x', ...ofText }], ...ofChoices }, ...payload },
  })

const zhipu = (members: JsonObject, ofChoice: JsonObject = {}): Sample =>
  sample(
    labelOf({ ...members, ...ofChoice }),
    { code: 200, success: true, data: { choices: [{ role: 'assistant', content: '"x"', ...ofChoice }], ...members } },
    [{ event: 'finish', data: 'x', meta: { ...members, ...ofChoice } }],
  )

/** Answers of vendors with a dialect of their own. */
export const vendorAnswers: Partial<Record<DialectId, readonly Sample[]>> = {
  'aiproxy-library': [
    ...unknownMembers.flatMap((member) => [library(member), library({ documents: [{ title: 'x', ...member }] })]),
    library({ documents: [{ title: 'x', content: 'x' }] }),
    library({ documents: [{ title: 'mark', url: 'https://mark' }] }),
  ],
  'baidu-chat': [
    ...unknownMembers.flatMap((member) => [baidu(member), baidu({ search_info: member })]),
    baidu({ search_info: { search_results: [{ url: 'https://mark', title: 'x' }] } }),
    baidu({ function_call: { name: 'mark', thoughts: 'x', arguments: '{}' } }),
  ],
  'coze-chat': [
    ...unknownMembers.flatMap((member) => [
      coze(message('answer', 'x', { id: 'm', ...member })),
      coze({ event: 'conversation.message.delta', type: 'answer', content: 'x', ...member }),
    ]),
    ...['follow_up', 'knowledge', 'zz', ''].map((type) => coze(message(type, 'x'))),
    coze(message('verbose', '{"msg_type":"knowledge_recall","data":"x"}')),
    coze({ event: 'conversation.audio.delta', content: 'AAAA' }),
    coze({ event: 'zz', content: 'x' }),
    coze(call('mark')),
    coze(call('x'), call('mark'), message('tool_response', 'x'), message('tool_response', 'y')),
    coze(message('tool_response', 'mark')),
    coze(message('function_call', 'x')),
  ],
  'dify-chat': [
    ...unknownMembers.flatMap((member) => [
      dify({ event: 'message', answer: 'x', ...member }),
      dify({ event: 'message', answer: 'x' }, { event: 'message_end', metadata: member }),
      workflow({ outputs: { text: 'Some words' }, ...member }),
      workflow({ outputs: { text: 'Some words', ...member } }),
    ]),
    dify({ event: 'tts_message', audio: 'AAAA' }),
    dify({ event: 'zz', data: { text: 'x' } }),
    dify({ event: 'message_end', metadata: { retriever_resources: [{ document_name: 'x', content: 'x' }] } }),
    dify({ event: 'message_file', belongs_to: 'assistant', ...drawn }),
    dify({ event: 'message_end', files: [{ transfer_method: 'tool_file', ...drawn }] }),
    dify({ event: 'text_replace', data: { text: 'mark' } }),
    workflow({ outputs: { text: 'Some words' }, files: [drawn] }),
  ],
  'hunyuan-chat': [
    ...unknownMembers.flatMap(({ zzMember }) => [hunyuan({ ZzMember: zzMember }), hunyuan({}, { ZzMember: zzMember })]),
    hunyuan({ RecommendedQuestions: ['x'] }),
    hunyuan({ SearchInfo: { SearchResults: [{ Title: 'x', Url: 'https://mark' }] } }),
    hunyuan({ SearchInfo: { Timeline: [{ Title: 'x' }] } }),
  ],
  'palm-chat': [
    ...unknownMembers.flatMap((member) => [palm(member), palm({}, member)]),
    palm({}, { citationMetadata: { citationSources: [{ uri: 'https://mark' }] } }),
  ],
  'spark-chat': [
    ...unknownMembers.flatMap((member) => [spark(member), spark({}, member), spark({}, {}, member)]),
    spark({ plugins: { text: [{ name: 'x', content: '[]' }] } }),
    spark({}, { function_call: { name: 'mark', arguments: '{}' } }),
    spark({}, { reasoning_content: 'mark' }),
  ],
  'zhipu-chat': unknownMembers.flatMap((member) => [zhipu(member), zhipu({}, member)]),
}
