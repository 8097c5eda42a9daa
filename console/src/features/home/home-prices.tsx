import { Skeleton, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { VendorMark } from '../../domain/vendor-mark'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import classes from './home.module.css'
import type { PricedModel } from './priced-models'

const shown = 8
const placeholderHeight = 330

interface HomePricesProps {
  /** All models that the reader may call. */
  readonly count: number | undefined
  /** Undefined until they are known. */
  readonly models: readonly PricedModel[] | undefined
  readonly names: Readonly<Record<string, string>> | undefined
}

/** Current models of several makers with their prices in the reader's group. */
export function HomePrices({ count = 0, models, names }: HomePricesProps) {
  const { t } = useTranslation('home')
  const { dollars } = useFormat()
  return (
    <section className={classes.section}>
      <div className={classes.sectionHead}>
        <Title order={2} size="h3">
          {t('prices.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('prices.unit')}
        </Text>
      </div>
      {!models && <Skeleton h={placeholderHeight} />}
      {models?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('prices.none')}
        </Text>
      )}
      {models && models.length > 0 && (
        <>
          <table className={classes.prices}>
            <thead>
              <tr>
                <th scope="col">{t('prices.model')}</th>
                <th scope="col" className={classes.ofMaker}>
                  {t('prices.maker')}
                </th>
                <th scope="col">{t('prices.input')}</th>
                <th scope="col">{t('prices.output')}</th>
              </tr>
            </thead>
            <tbody>
              {models.slice(0, shown).map(({ name, maker, input, output }) => (
                <tr key={name}>
                  <th scope="row">
                    <span className={classes.model}>
                      <VendorMark id={maker} name={name} /> {name}
                    </span>
                  </th>
                  <td className={classes.ofMaker}>{names?.[maker] ?? ''}</td>
                  <td className="figures">{dollars(input)}</td>
                  <td className="figures">{dollars(output)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Link to="/pricing">{t('prices.all', { count })}</Link>
        </>
      )}
    </section>
  )
}
