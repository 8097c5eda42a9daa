import type { JsonObject } from '../../core/json'
import { numberOrNull, objectOf, objectsOf, textOf } from '../../core/neutral/read'
import { drawnUnits, imageToolOf, unitsOfTokens } from '../../core/shared/drawn-units'
import { reportedSearches } from '../../core/shared/searches'
import { readUsage, withServiceTier } from '../../core/shared/usage'
import { toolCallCounts } from '../../core/shared/reported-usage'
import type { ReportedUsage, ToolCalls, Usage } from '../../core/usage'

/** Returns the usage of a response, with how often its items, or the usage itself, say that the vendor's own tools ran. */
export function usageIn(response: JsonObject): ReportedUsage | null {
  const usage = readUsage(response['usage'])
  return usage && withServiceTier({ ...usage, toolCalls: allCalls(response) }, response['service_tier'])
}

/** Returns how often tools ran: items of some vendors do not show every search. */
export function allCalls(response: JsonObject): ToolCalls {
  const drawn = drawnBy(response)
  const ran = { ...toolCallsOf(objectsOf(response['output'])), ...(drawn > 0 && { imageGeneration: drawn }) }
  const searches = reportedSearches(response['usage']) ?? 0
  return searches > (ran.webSearch ?? 0) ? { ...ran, webSearch: searches } : ran
}

/** Returns what the pictures of the tool count as: by its usage where that is reported, else by the quality and size of each. */
function drawnBy(response: JsonObject): number {
  const items = objectsOf(response['output']).filter(isDrawing)
  if (items.length === 0) return 0
  const reported = numberOrNull(objectOf(objectOf(response['tool_usage'])['image_gen'])['output_tokens'])
  if (reported !== null && reported > 0) return unitsOfTokens(reported)
  const requested = imageToolOf(response)
  return items.reduce((sum, item) => sum + drawnUnits({ ...requested, ...imageFormatIn(item) }), 0)
}

const isDrawing = ({ type, result }: JsonObject): boolean => type === 'image_generation_call' && textOf(result) !== ''

const imageFormatIn = ({ quality, size }: JsonObject): JsonObject => ({
  ...(typeof quality === 'string' && { quality }),
  ...(typeof size === 'string' && { size }),
})

/** Returns how often the vendor's own tools ran. */
export function toolCallsOf(items: readonly JsonObject[]): ToolCalls {
  const ran = new RanTools()
  for (const item of items) ran.add(item)
  return ran.calls
}

/** What a call of the search does other than searching. https://platform.openai.com/docs/guides/tools-web-search */
const opensPage: ReadonlySet<unknown> = new Set(['open_page', 'find_in_page', 'find'])

/** Counts how often the vendor's own tools ran, by the items of a response. */
export class RanTools {
  #webSearch = 0
  #fileSearch = 0
  #containers: Set<unknown> | null = null
  #drawn = 0

  /**
   * Of web searches, pages that are opened cost nothing. The interpreter is billed by the container, in which several calls may
   * run. https://platform.openai.com/docs/pricing
   */
  add({ type, action, container_id, id }: JsonObject): void {
    if (type === 'web_search_call') this.#webSearch += opensPage.has(objectOf(action)['type']) ? 0 : 1
    else if (type === 'file_search_call') this.#fileSearch += 1
    else if (type === 'code_interpreter_call') (this.#containers ??= new Set()).add(container_id ?? id ?? {})
  }

  /** Counts a picture of the image tool. */
  drew(tool: JsonObject): void {
    this.#drawn += drawnUnits(tool)
  }

  /** Replaces the counts of pictures by those of the whole response, which says more of each. */
  drewAll(response: JsonObject): void {
    this.#drawn = drawnBy(response)
  }

  get calls(): ToolCalls {
    return toolCallCounts({
      webSearch: this.#webSearch,
      fileSearch: this.#fileSearch,
      codeInterpreter: this.#containers?.size ?? 0,
      imageGeneration: this.#drawn,
    })
  }
}

/** A usage as a response has it. */
export const usageBody = (usage: Usage): JsonObject => ({
  input_tokens: usage.promptTokens,
  input_tokens_details: {
    cached_tokens: usage.cachedTokens,
    cache_write_tokens: usage.cacheWriteTokens + usage.cacheWriteHourTokens,
  },
  output_tokens: usage.completionTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.promptTokens + usage.completionTokens,
})
