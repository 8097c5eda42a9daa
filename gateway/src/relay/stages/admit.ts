import { accountRefusal, groupRefusal, modelRefusal } from '../../accounts/callers/caller-refusal'
import { AppError } from '../../app-error'
import type { Catalog } from '../../catalog/catalog'
import type { Context } from '../../context'
import type { Caller, IncomingCall } from '../call'
import { isAddressAllowed } from '../admission/ip-list'
import { createWordMatcher, type WordMatcher } from '../content-policy/word-matcher'

/**
 * Whether the caller may call models at all: the key's state, the user's, the address, the group. The body is not needed for it.
 * @throws AppError `key.disabled`, `key.expired`, `key.exhausted`, `caller.banned`, `caller.ip`, `caller.group`, `caller.group_gone`.
 */
export function admitCaller(caller: Caller, call: IncomingCall, ctx: Pick<Context, 'clock'>): void {
  const { key } = caller
  const refusal = accountRefusal(caller, ctx.clock.now())
  if (refusal) throw refusal
  if (key && !isAddressAllowed(key, call.clientIp)) throw new AppError('caller.ip', { params: { ip: call.clientIp } })
  const groupError = groupRefusal(caller, call.catalog.options)
  if (groupError) throw groupError
}

/**
 * Whether the key may call this model, whatever channel it is pinned to.
 * @throws AppError `caller.model`.
 */
export function admitModel(caller: Caller, model: string): void {
  const refusal = modelRefusal(caller, model)
  if (refusal) throw refusal
}

/** One matcher for each list of words; the list is the same object as long as the option is not changed. */
const matchers = new WeakMap<readonly string[], WordMatcher>()

/**
 * Whether what the caller wrote is free of forbidden words.
 * @throws AppError `request.sensitive_words`.
 */
export function admitWords({ options }: Catalog, texts: readonly string[]): void {
  if (!options.CheckSensitiveEnabled || !options.CheckSensitiveOnPromptEnabled) return
  if (options.SensitiveWords.length === 0) return
  let matcher = matchers.get(options.SensitiveWords)
  if (!matcher) matchers.set(options.SensitiveWords, (matcher = createWordMatcher(options.SensitiveWords)))
  const words = matcher.find(texts.join('\n'))
  if (words.length > 0) throw new AppError('request.sensitive_words', { params: { words: words.join(', ') } })
}
