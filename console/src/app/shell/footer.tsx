import { useSite } from '../../lib/status'
import { SafeHtml } from '../../components/safe-html'
import classes from './shell.module.css'

/** The operator's footer, and which version this is. */
export function Footer() {
  const { footer_html: html, version } = useSite()
  return (
    <footer className={classes.footer}>
      <div>{html && <SafeHtml html={html} />}</div>
      <span>Tollgate {version}</span>
    </footer>
  )
}
