import { SafeHtml } from '../../components/texts/safe-html'
import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'
import classes from './shell.module.css'

const wordings = ['built', 'powered', 'runs'] as const

/** The operator's footer and the product line, whose wording changes with each start of the gateway but not while the page is open. */
export function Footer() {
  const { t } = useTranslation('shell')
  const { footer_html: html, version, start_time: startedAt } = useSite()
  const wording = wordings[startedAt % wordings.length] ?? wordings[0]
  return (
    <footer className={classes.footer}>
      <div>{html && <SafeHtml html={html} />}</div>
      <span>{t(`footer.${wording}`, { version })}</span>
    </footer>
  )
}
