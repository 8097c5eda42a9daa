import type { ChargeDetails } from '../../stored/log-details'
import { priceClasses, tokenClasses, toolClasses, unitClasses, type PriceClass } from '../price-classes'
import { byClass, classPrice, entryPrices, exact, fullPrices, type EntryPrices } from './class-prices'
import type { Decimal } from './decimal'
import { quotaOf, weightsOf, type Amounts } from './weights'

/** What a charged log row says of its charge. */
export interface LoggedCharge {
  /** Prices before factors. */
  readonly basePrices: EntryPrices
  readonly amounts: Amounts
  /** 1 where one does not apply. */
  readonly factors: {
    readonly group: number
    readonly mode: number
    readonly schedule: number
    readonly ownLogin: number
  }
}

interface ChargedRow {
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

/** Returns the usage, prices and factors of a charged row; undefined where the row has no prices. */
export function loggedCharge(row: ChargedRow, details: ChargeDetails): LoggedCharge | undefined {
  const { model_price: perCall = -1, model_ratio: ratio, prices } = details
  if (perCall < 0 && ratio === undefined && !prices) return undefined
  return {
    basePrices: basePricesOf(details),
    amounts: amountsOf(row, details),
    factors: {
      group: details.group_ratio ?? 1,
      mode: details.service_tier_ratio ?? 1,
      schedule: details.schedule_ratio ?? 1,
      ownLogin: details.own_login_factor ?? 1,
    },
  }
}

/** What a call used of a class. */
interface UsedClass {
  readonly class: PriceClass
  readonly amount: number
  /** US dollars in the unit of a price entry, before factors. */
  readonly price: Decimal
}

/** Returns what a call used of each class that has a price: input first, then output, then tools. */
export const usedClasses = ({ basePrices, amounts }: LoggedCharge): UsedClass[] =>
  readingOrder.flatMap((name) => {
    const price = amounts[name] > 0 ? classPrice(basePrices, name) : undefined
    return price ? [{ class: name, amount: amounts[name], price }] : []
  })

const outputClasses: readonly PriceClass[] = ['output', 'reasoning', 'image_out', 'audio_out']
const isOutput = (name: PriceClass) => outputClasses.includes(name)
const inputClasses: readonly PriceClass[] = tokenClasses.filter((name) => !isOutput(name))
const readingOrder: readonly PriceClass[] = [...inputClasses, ...outputClasses, ...unitClasses, ...toolClasses]

/** Returns the quota of a charge, computed as the gateway does, and whether it was raised to the minimum of a call. */
export function loggedQuota({ basePrices, amounts, factors }: LoggedCharge, quotaPerUnit: number) {
  if (priceClasses.every((name) => amounts[name] === 0)) return { quota: 0, isMinimum: false }
  const weights = weightsOf(fullPrices(basePrices), { quotaPerUnit, factors: Object.values(factors) })
  const quota = quotaOf({ ...weights, hasMinimum: false }, amounts)
  const isMinimum = quota === 0 && weights.hasMinimum
  return { quota: isMinimum ? 1 : quota, isMinimum }
}

/** Rows of earlier releases have only ratios, or omit an output that is free. */
function basePricesOf(details: ChargeDetails): EntryPrices {
  const { model_price: perCall = -1, model_ratio: model = 0, completion_ratio: completion = 1, prices } = details
  if (prices) return exact({ ...(completion === 0 && perCall < 0 && { output: 0 }), ...prices })
  const tools = {
    web_search: details.web_search_price ?? 0,
    file_search: details.file_search_price ?? 0,
    code_interpreter: details.code_interpreter_price ?? 0,
    image_generation: details.image_generation_price ?? 0,
  }
  if (perCall >= 0) return exact({ per_call: perCall, ...tools })
  return entryPrices({
    prices: { input: model * dollarsAtRatioOne, ...tools },
    ratios: {
      output: completion,
      cache_read: details.cache_ratio ?? 1,
      ...(details.cache_audio_ratio !== undefined && { cache_read_audio: details.cache_audio_ratio }),
      cache_write_5m: details.cache_creation_ratio ?? 1,
      cache_write_1h: details.cache_creation_ratio_1h ?? 1,
      image_in: details.image_ratio ?? 1,
      image_out: details.image_generation_ratio ?? 1,
      audio_in: details.audio_ratio ?? 1,
      audio_out: details.audio_completion_ratio ?? 1,
      reasoning: details.reasoning_ratio ?? 1,
    },
  })
}

/** US dollars per million tokens. */
const dollarsAtRatioOne = 2

/** Each token belongs to one class. A call that used nothing is not charged for itself either. */
function amountsOf(row: ChargedRow, details: ChargeDetails): Amounts {
  const { image_count: images = 0, characters, seconds } = details
  if (row.prompt_tokens + row.completion_tokens + images + characters + seconds === 0) return noAmounts
  const { cache_creation_tokens: written, cache_creation_tokens_1h: writtenForHour } = details
  const apart = details.cache_tokens + details.cache_audio_tokens + written + details.image_output + details.audio_input
  const apartOut = details.audio_output + details.reasoning_billed + details.image_generated
  return {
    ...noAmounts,
    input: Math.max(0, row.prompt_tokens - apart),
    output: Math.max(0, row.completion_tokens - apartOut),
    cache_read: details.cache_tokens,
    cache_read_audio: details.cache_audio_tokens,
    cache_write_5m: Math.max(0, written - writtenForHour),
    cache_write_1h: writtenForHour,
    image_in: details.image_output,
    image_out: details.image_generated,
    audio_in: details.audio_input,
    audio_out: details.audio_output,
    reasoning: details.reasoning_billed,
    per_call: 1,
    per_image: details.image_count ?? Number((details.model_price ?? -1) >= 0),
    per_second: seconds,
    per_character: characters,
    web_search: details.web_search_call_count,
    file_search: details.file_search_call_count,
    code_interpreter: details.code_interpreter_call_count,
    image_generation: details.image_generation_call_count,
  }
}

const noAmounts = byClass(() => 0)
