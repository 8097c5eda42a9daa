import { VendorMark } from '../../domain/vendor-mark'
import { useTranslation } from '../../lib/text/i18n'
import classes from './home.module.css'

const shown = 12

interface MakerStripProps {
  readonly makers: readonly string[]
  /** Maker -> name. */
  readonly names: Readonly<Record<string, string>> | undefined
}

/** The makers of the models on offer. */
export function MakerStrip({ makers, names }: MakerStripProps) {
  const { t } = useTranslation('home')
  return (
    <section className={classes.strip} aria-label={t('makers')}>
      {makers.slice(0, shown).map((maker) => (
        <span key={maker} className={classes.maker}>
          <VendorMark id={maker} name={names?.[maker] ?? maker} />
          {names?.[maker] ?? maker}
        </span>
      ))}
    </section>
  )
}
