import { Link } from '@tanstack/react-router'

import { useSite } from '../../lib/api/status'
import classes from './shell.module.css'

/** The site's logo and name, or ours by default. */
export function Brand() {
  const site = useSite()
  return (
    <Link to="/" className={classes.brand}>
      <img src={site.logo || '/logo.svg'} alt="" />
      <span className={classes.brandName}>{site.system_name}</span>
    </Link>
  )
}
