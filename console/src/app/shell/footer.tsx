import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { SafeHtml } from '../../components/safe-html'
import { useSite } from '../../lib/status'
import classes from './shell.module.css'

const wordings = ['built', 'powered', 'runs'] as const

/** The operator's footer, and by what the site is run, each visit in other words. */
export function Footer() {
  const { t } = useTranslation('shell')
  const { footer_html: html, version } = useSite()
  const [wording] = useState(() => wordings[Math.floor(Math.random() * wordings.length)] ?? wordings[0])
  return (
    <footer className={classes.footer}>
      <div>{html && <SafeHtml html={html} />}</div>
      <span>{t(`footer.${wording}`, { version })}</span>
    </footer>
  )
}
