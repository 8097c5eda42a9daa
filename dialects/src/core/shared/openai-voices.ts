/** OpenAI's names of voices, and none: clients send them by default, and other vendors do not know them. */
export const openAiVoices: ReadonlySet<string> = new Set(
  ',alloy,ash,ballad,cedar,coral,echo,fable,marin,nova,onyx,sage,shimmer,verse'.split(','),
)
