import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { VendorMark } from '../../../domain/vendor-mark'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { useVendors } from '../channel-data'
import classes from './route.module.css'

interface ChannelLinkProps {
  readonly channel: { readonly id: number; readonly name: string; readonly type: number }
}

/** A channel by vendor, id and name; opens its editor. */
export function ChannelLink({ channel: { id, name, type } }: ChannelLinkProps) {
  const { t } = useTranslation('channels')
  const { language } = useFormat()
  const vendor = useVendors().find((known) => known.type === type)
  return (
    <span className={classes.channel}>
      <VendorMark id={vendor?.id ?? ''} name={vendor?.name[language] ?? t('unknownVendor', { type })} />
      <Anchor
        className={classes.channelName}
        title={name}
        renderRoot={(props) => <Link to="/admin/channels" search={{ edit: String(id) }} {...props} />}
      >
        {name}
      </Anchor>
      <span className={classes.id}>{`#${id}`}</span>
    </span>
  )
}
