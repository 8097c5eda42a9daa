import type { channelRoutes } from '@tollgate/contract'

import { ChannelLink } from './channel-link'
import { Reasons } from './reasons'
import classes from './route.module.css'

/** A channel that would not be used, and why. */
export const OutsiderRow = ({ channel }: { readonly channel: channelRoutes.RouteOutsider }) => (
  <li className={classes.row} data-is-outside>
    <div className={classes.who}>
      <ChannelLink channel={channel} />
    </div>
    <div className={classes.why}>
      <Reasons reasons={channel.reasons} />
    </div>
  </li>
)
