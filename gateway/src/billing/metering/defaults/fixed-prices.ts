const each = (price: number, ...names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, price]))

/** Prices of one call in US dollars where the operator set none. */
export const defaultFixedPrices: Readonly<Record<string, number>> = {
  suno_music: 0.1,
  suno_lyrics: 0.01,
  'gpt-4-gizmo-*': 0.1,
  ...each(0.1, 'mj_imagine', 'mj_variation', 'mj_reroll', 'mj_blend', 'mj_modal', 'mj_zoom', 'mj_shorten'),
  ...each(0.1, 'mj_high_variation', 'mj_low_variation', 'mj_pan', 'mj_edits'),
  mj_video: 0.8,
  ...each(0, 'mj_inpaint', 'mj_custom_zoom'),
  ...each(0.05, 'mj_describe', 'mj_upscale', 'mj_upload', 'swap_face'),
}
