const each = (reason: string, ...names: readonly string[]): (readonly [string, string])[] =>
  names.map((name) => [name, reason])

/** Why two sources may differ by a factor above 3 in the price of a model. */
export const disagreementReasons: ReadonlyMap<string, string> = new Map([
  ...each(
    'mainland China costs a part of the international price',
    'qwen-max',
    'qwen-plus',
    'qwen-mt-plus',
    'qwen-vl-max',
    'qwen3-next-80b-a3b-instruct',
    'qwq-plus',
  ),
  ...each(
    'open weights: each host has its own price, and the mainland of their maker is the cheapest',
    'deepseek-r1-distill-llama-70b',
    'deepseek-r1-distill-qwen-14b',
    'deepseek-r1-distill-qwen-32b',
    'deepseek-r1-0528',
    'qwen2.5-14b-instruct',
    'qwq-32b',
  ),
  ...each(
    'open weights: the lists name different hosts',
    'llama-3.1-8b-instruct',
    'llama-3.2-11b-vision-instruct',
    'llama-3.2-1b-instruct',
    'llama-3.2-3b-instruct',
    'llama-guard-3-8b',
    'meta-llama-3-70b-instruct',
    'meta-llama-3-8b-instruct',
    'mistral-small-24b-instruct-2501',
    'qwen2.5-vl-72b-instruct',
    'qwen3-32b',
    'deepseek-v3',
    'deepseek-v3.2',
  ),
  ...each('the newer list has another price of the maker', 'deepseek-v4-flash', 'deepseek-v4-pro'),
  ...each('an alias that moved to a newer model', 'gemini-flash-lite-latest', 'mistral-medium-3'),
  ...each('one list has the price of text, the other that of images', 'gemini-2.5-flash-image', 'gpt-image-1.5'),
])
