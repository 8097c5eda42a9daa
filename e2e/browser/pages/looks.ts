export interface Look {
  readonly language: 'zh' | 'en'
  readonly theme: 'light' | 'dark'
  /** Otherwise a wide window. */
  readonly isPhone: boolean
}

/** All eight. Neighbours differ in their width, so that as many pages are loaded on a phone as in a wide window. */
export const looks: readonly Look[] = (['zh', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => [false, true].map((isPhone): Look => ({ language, theme, isPhone }))),
)
