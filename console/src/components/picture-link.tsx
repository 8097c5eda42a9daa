import { IconPhoto } from '@tabler/icons-react'

import { useTranslation } from '../lib/i18n'
import { webAddress } from '../lib/web-address'

interface PictureLinkProps {
  readonly address: string
  readonly alt: string
}

/** Names a picture on another site and opens it when clicked: loading it tells that site whatever its address holds. */
export function PictureLink({ address, alt }: PictureLinkProps) {
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
