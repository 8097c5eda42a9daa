import { Paper, Skeleton, Text, Title } from '@mantine/core'
import { pricingRoutes } from '@tollgate/contract'
import { Link } from '@tanstack/react-router'

import { VendorMark } from '../../components/vendor-mark'
import { useTranslation } from '../../lib/i18n'
import { useReadWhole } from '../../lib/query'
import { useFormat } from '../../lib/use-format'
import { useViewer } from '../../lib/session'
import classes from './home.module.css'
import { pricedModels } from './priced-models'

const shown = 6

/** Some of the prices in the reader's group. */
export function HomePrices() {
  const { t } = useTranslation('home')
  const { dollars } = useFormat()
  const { user } = useViewer()
  const { data: answer, error } = useReadWhole(pricingRoutes.pricing, {}, { staleTime: 60_000 })
  if (error) return null
  const models = answer && pricedModels(answer.data, answer.beside.group_ratio, user?.group)
  return (
    <Paper p="md" className={classes.card}>
      <div className={classes.cardHead}>
        <Title order={2} size="h4">
          {t('prices.title')}
        </Title>
        <Text size="xs" c="dimmed">
          {t('prices.unit')}
        </Text>
      </div>
      {!models && <Skeleton h={180} />}
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
                <th scope="col">{t('prices.input')}</th>
                <th scope="col">{t('prices.output')}</th>
              </tr>
            </thead>
            <tbody>
              {models.slice(0, shown).map(({ name, maker, input, output }) => (
                <tr key={name}>
                  <th scope="row">
                    {maker && <VendorMark id={maker} />} {name}
                  </th>
                  <td>{dollars(input)}</td>
                  <td>{dollars(output)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Link to="/pricing">{t('prices.all', { count: answer.data.length })}</Link>
        </>
      )}
    </Paper>
  )
}
