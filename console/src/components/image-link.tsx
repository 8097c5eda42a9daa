import { IconPhoto } from '@tabler/icons-react'

import { useTranslation } from '../lib/text/i18n'
import { webAddress } from '../lib/url/web-address'

interface ImageLinkProps {
  readonly address: string
  readonly alt: string
}

/** Names an image on another site and opens it on click: loading it would disclose whatever its address contains to that site. */
export function ImageLink({ address, alt }: ImageLinkProps) {
  const { t } = useTranslation()
  const href = webAddress(address)
  if (href === undefined) return <>{alt}</>
  const words = { host: new URL(href).host, name: alt }
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      <IconPhoto size={15} style={{ verticalAlign: '-2px' }} /> {t(alt ? 'picture.named' : 'picture.unnamed', words)}
    </a>
  )
}
