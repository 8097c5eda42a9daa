import { IconRoute } from '@tabler/icons-react'

import { VendorMark } from '../../domain/vendor-mark'
import { useTranslation } from '../../lib/text/i18n'
import classes from './scene.module.css'

const clients = ['OpenAI SDK', 'Anthropic SDK', 'Google SDK'] as const
const tiles = 9

/** What the example call is charged: 1,204 tokens at $0.15 and 318 at $0.60 a million. */
const receipt = [
  ['input', '1,204 × $0.15/M'],
  ['output', '318 × $0.60/M'],
] as const
const total = '$0.000371'
const call = 'POST /v1'

/** A call on its way from an SDK through the barrier, which meters it, to a vendor. A picture: what it shows is said in the words beside it. */
export function Scene({ makers }: { readonly makers: readonly string[] }) {
  const { t } = useTranslation('home')
  return (
    <div className={classes.scene} aria-hidden>
      <div className={classes.clients}>
        {clients.map((name) => (
          <span key={name} className={classes.client}>
            {name}
          </span>
        ))}
      </div>
      <div className={classes.lane}>
        <div className={classes.road} />
        <div className={classes.runner}>
          <span className={classes.call}>{call}</span>
        </div>
        <div className={classes.booth}>
          <IconRoute size={18} stroke={1.6} />
        </div>
        <div className={classes.arm} />
        <div className={classes.receipt}>
          {receipt.map(([name, text]) => (
            <div key={name}>
              <span>{t(`prices.${name}`)}</span>
              <span>{text}</span>
            </div>
          ))}
          <div className={classes.total}>
            <span>{t('scene.total')}</span>
            <span>{total}</span>
          </div>
        </div>
      </div>
      <div className={classes.vendors}>
        {makers.slice(0, tiles).map((maker) => (
          <span key={maker} className={classes.vendor}>
            <VendorMark id={maker} size="large" />
          </span>
        ))}
      </div>
    </div>
  )
}
