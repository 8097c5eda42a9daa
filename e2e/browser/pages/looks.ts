export interface Look {
  readonly language: 'zh' | 'en'
  readonly theme: 'light' | 'dark'
  /** Otherwise a wide window. */
  readonly isPhone: boolean
}

const wide: readonly Look[] = (['zh', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).map((theme) => ({ language, theme, isPhone: false })),
)

const opposite = ({ language, theme, isPhone }: Look): Look => ({
  language: language === 'zh' ? 'en' : 'zh',
  theme: theme === 'light' ? 'dark' : 'light',
  isPhone: !isPhone,
})

/** All eight looks, each beside its opposite: a pair has both languages, both themes and both widths. The first of a pair is wide. */
export const pairsOfLooks: readonly (readonly Look[])[] = wide.map((look) => [look, opposite(look)])
