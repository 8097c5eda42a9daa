import { LeftOutEvents } from '../../../core/neutral/left-out'
import { isObject, type JsonObject } from '../../../core/json'
import type { AnswerEvent, BlockKind, Delta } from '../../../core/neutral/events'
import { jsonTextOf, textOf } from '../../../core/neutral/read'
import { member, memberList, memberObject } from '../../../core/shared/google-members'
import { carriedThoughts } from '../carried-thoughts'
import { dialectId } from '../name'
import { isContinuation, isPartial, PartialCall } from '../partial-call'
import { deriveCallId } from '../call-ids'
import { ByteText } from './byte-text'
import { codeText } from './code-text'
import { isFinished, readFinishReason } from '../finish-reasons'
import { readLogProbabilities } from '../log-probabilities'
import { SourceReader } from './sources'

/** Reads the pieces of one candidate into blocks. */
export class CandidateReader {
  #open: 'text' | 'thinking' | null = null
  #blocks = 0
  #calls = 0
  #finishReason: string | null = null
  #isBlocked = false
  /** A call that is streamed in parts. It ends when another call begins: the closing part may be missing. Words between its parts go before it. */
  #partial: PartialCall | null = null
  /** What the open text said so far. */
  readonly #text = new ByteText()
  readonly #sources = new SourceReader()
  readonly #leftOut = new LeftOutEvents()

  constructor(
    private readonly choice: number,
    private readonly responseId: string,
  ) {}

  get isFinished(): boolean {
    return this.#finishReason !== null
  }

  /** Nothing was answered, for this reason. */
  block(reason: string): void {
    this.#isBlocked = true
    this.#finishReason = reason
  }

  take(candidate: JsonObject): AnswerEvent[] {
    const parts = memberList(memberObject(candidate, 'content'), 'parts')
    const contentEvents = parts.flatMap((part) => this.#part(part))
    const reason = member(candidate, 'finishReason')
    if (isFinished(reason)) this.#finishReason = reason
    const tokens = readLogProbabilities(memberObject(candidate, 'logprobsResult'))
    return [
      ...contentEvents,
      ...this.#cite(candidate),
      ...this.#leftOut.members(candidate, candidateMembers, 'candidates'),
      ...this.#leftOut.members(memberObject(candidate, 'groundingMetadata'), groundingMembers, 'groundingMetadata'),
      ...(tokens.length > 0 ? [{ type: 'log-probabilities', choice: this.choice, tokens } as const] : []),
    ]
  }

  end(): AnswerEvent[] {
    const rawReason = this.#finishReason
    const isWhole = rawReason !== null && readFinishReason(rawReason, true) === 'tool-calls'
    const closed = [...this.#endPartial(isWhole), ...this.#close(), ...this.#readSearch()]
    if (rawReason === null) return closed
    const reason = this.#isBlocked ? 'content-filter' : readFinishReason(rawReason, this.#calls > 0)
    return [...closed, { type: 'choice-end', choice: this.choice, reason, rawReason, stopSequence: null }]
  }

  #part(part: JsonObject): AnswerEvent[] {
    const signature = textOf(member(part, 'thoughtSignature'))
    const call = member(part, 'functionCall')
    // What a call carries was told before.
    if (isObject(call)) return this.#call(call, carriedThoughts(signature) ? '' : signature)
    if (this.#partial === null) return this.#other(part, signature)
    if (Object.keys(part).every((name) => isSignatureMember(part, name))) {
      this.#partial.sign(signature)
      return []
    }
    this.#partial.mayBeOver()
    return this.#other(part, signature)
  }

  /** Reads a part that is not a call. */
  #other(part: JsonObject, signature: string): AnswerEvent[] {
    const isThought = part['thought'] === true
    const text = textOf(part['text']) || codeText(part)
    if (isThought && typeof part['text'] === 'string')
      return [...this.#appendText('thinking', text), ...(signature === '' ? [] : this.#sign(signature))]
    const data = member(part, 'inlineData')
    const uri = textOf(member(memberObject(part, 'fileData'), 'fileUri'))
    const isShown = isObject(data) && !isThought
    const events = [
      ...this.#appendText('text', text),
      ...(isShown ? this.#whole({ kind: 'media' }, [mediaOf(data)]) : []),
      ...(uri === '' ? [] : this.#appendText('text', `![](${uri})`)),
    ]
    if (isOther(part)) {
      if (events.length === 0) events.push(...this.#whole({ kind: 'own', dialect: dialectId, value: part }, []))
      else if (!isShown && uri === '') events.push(...this.#leftOut.members(part, silent, 'parts'))
      else events.push(...this.#leftOut.members(part, shownMembers, 'parts'))
    }
    const alone = { kind: 'signature', signature } as const
    return signature === '' ? events : [...events, ...this.#whole({ kind: 'redacted-thinking' }, [alone])]
  }

  #call(call: JsonObject, signature: string): AnswerEvent[] {
    if (this.#partial?.continuesWith(call)) {
      this.#partial.take(call, signature)
      return []
    }
    const ended = this.#endPartial(true)
    if (isPartial(call)) {
      this.#partial = new PartialCall(call, signature)
      return [...ended, ...this.#close()]
    }
    // A continuation of a call that never began.
    if (isContinuation(call)) return ended
    return [
      ...ended,
      ...this.#wholeCall(textOf(call['id']), textOf(call['name']), jsonTextOf(call['args']) || '{}', signature),
    ]
  }

  /** A call that was cut off has truncated arguments, as other vendors stream them. */
  #endPartial(isWhole: boolean): AnswerEvent[] {
    const partial = this.#partial
    if (partial === null) return []
    this.#partial = null
    const text = JSON.stringify(partial.args())
    return this.#wholeCall(
      partial.id,
      partial.name,
      isWhole || partial.isOver ? text : text.slice(0, -1),
      partial.signature,
    )
  }

  #wholeCall(vendorId: string, name: string, text: string, signature: string): AnswerEvent[] {
    const id = vendorId || deriveCallId(this.responseId, this.choice, this.#calls, name, text)
    this.#calls += 1
    return this.#whole({ kind: 'tool-call', id, name }, [
      ...(signature === '' ? [] : [{ kind: 'signature', signature } as const]),
      { kind: 'text', text },
    ])
  }

  #appendText(kind: 'text' | 'thinking', text: string): AnswerEvent[] {
    if (text === '' && (kind === 'text' || this.#open === kind)) return []
    const opened = this.#open === kind ? [] : this.#openBlock(kind)
    if (kind === 'text') this.#text.append(text)
    return text === '' ? opened : [...opened, this.#delta({ kind: 'text', text })]
  }

  /** A signed thought is whole. */
  #sign(signature: string): AnswerEvent[] {
    return [this.#delta({ kind: 'signature', signature }), ...this.#close()]
  }

  #whole(of: BlockKind, deltas: readonly Delta[]): AnswerEvent[] {
    const block = this.#blocks + (this.#open === null ? 0 : 1)
    const closed = this.#close()
    this.#blocks += 1
    const { choice } = this
    return [
      ...closed,
      { type: 'block-start', choice, block, of },
      ...deltas.map((delta) => ({ type: 'block-delta', choice, block, delta }) as const),
      { type: 'block-end', choice, block },
    ]
  }

  /** Sources come behind the text that is founded on them; where it is closed already, they have a block of their own. */
  #cite(candidate: JsonObject): AnswerEvent[] {
    const citations = this.#sources.take(candidate, this.#text)
    if (citations.length === 0) return []
    const opened = this.#open === 'text' ? [] : this.#openBlock('text')
    return [...opened, ...citations.map((citation) => this.#delta({ kind: 'citation', citation }))]
  }

  #readSearch(): AnswerEvent[] {
    const { search } = this.#sources
    return search === null ? [] : this.#whole({ kind: 'search', ...search }, [])
  }

  #delta(delta: Delta): AnswerEvent {
    return { type: 'block-delta', choice: this.choice, block: this.#blocks, delta }
  }

  #openBlock(kind: 'text' | 'thinking'): AnswerEvent[] {
    const closed = this.#close()
    this.#open = kind
    return [...closed, { type: 'block-start', choice: this.choice, block: this.#blocks, of: { kind } }]
  }

  #close(): AnswerEvent[] {
    if (this.#open === null) return []
    this.#open = null
    this.#text.clear()
    const block = this.#blocks
    this.#blocks += 1
    return [{ type: 'block-end', choice: this.choice, block }]
  }
}

const mediaOf = (data: JsonObject): Delta => ({
  kind: 'media',
  mime: textOf(member(data, 'mimeType')),
  data: textOf(data['data']),
})

/** Whether a member of a part carries nothing but a signature. */
const isSignatureMember = (part: JsonObject, name: string): boolean =>
  /^(?:thought|thoughtSignature|thought_signature)$/.test(name) || (name === 'text' && part[name] === '')

/** Members that say nothing beyond words, or the words themselves. */
const silent: ReadonlySet<string> = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'thought_signature',
  'codeExecutionResult',
  'code_execution_result',
  'executableCode',
  'executable_code',
])
const shownMembers: ReadonlySet<string> = new Set([...silent, 'inlineData', 'inline_data', 'fileData', 'file_data'])

const groundingMembers: ReadonlySet<string> = new Set([
  'groundingChunks',
  'grounding_chunks',
  'groundingSupports',
  'grounding_supports',
  'webSearchQueries',
  'web_search_queries',
])

/** What of a candidate is read, here and for the usage, or describes the response rather than the answer. */
const candidateMembers: ReadonlySet<string> = new Set([
  'content',
  'index',
  'finishReason',
  'finish_reason',
  'finishMessage',
  'finish_message',
  'safetyRatings',
  'safety_ratings',
  'citationMetadata',
  'citation_metadata',
  'groundingMetadata',
  'grounding_metadata',
  'groundingAttributions',
  'tokenCount',
  'token_count',
  'avgLogprobs',
  'avg_logprobs',
  'logprobsResult',
  'logprobs_result',
])

const isOther = (part: JsonObject): boolean => Object.keys(part).some((name) => !silent.has(name))
