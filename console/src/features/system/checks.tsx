import { Button, Skeleton, Text } from '@mantine/core'
import { systemRoutes } from '@tollgate/contract'

import { ErrorState } from '../../components/page/state-message'
import { PlainTable } from '../../components/plain-table'
import { StatusBadge } from '../../components/status-badge'
import { formatTime } from '../../lib/text/format'
import { capitalize } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { Panel } from './panel'

const tones = { ok: 'good', warn: 'warning', FAIL: 'bad' } as const

/** On a page they are sentences; the command prints them in one line. */

/** The findings of `doctor` with remedies, and the expiry of certificates. */
export function Checks() {
  const { t } = useTranslation('system')
  const { data, error, refetch, isFetching } = useRead(systemRoutes.examineSystem, undefined, { staleTime: 60_000 })
  const again = (
    <Button variant="default" size="xs" loading={isFetching} onClick={() => void refetch()}>
      {t('checks.again')}
    </Button>
  )
  return (
    <Panel title={t('checks.title')} action={again}>
      <Text size="sm" c="dimmed">
        {t('checks.hint')}
      </Text>
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {!data && !error && <Skeleton h={160} />}
      {data && (
        <PlainTable
          label={t('checks.title')}
          minWidth={300}
          columns={[t('checks.result'), t('checks.subject'), t('checks.found')]}
          rows={data.findings.map(({ level, subject, text, advice }, index) => ({
            key: `${index} ${subject}`,
            cells: [
              <StatusBadge key="level" tone={tones[level]}>
                {t(`checks.level.${level}`)}
              </StatusBadge>,
              <span key="subject" style={{ whiteSpace: 'nowrap' }}>
                {capitalize(subject)}
              </span>,
              <div key="text" style={{ overflowWrap: 'anywhere' }}>
                {capitalize(text)}
                {advice && <Text size="sm" c="dimmed">{`${capitalize(advice)}.`}</Text>}
              </div>,
            ],
          }))}
        />
      )}
      {data && data.certificates.length > 0 && (
        <PlainTable
          label={t('certificates.title')}
          columns={[t('certificates.of'), t('certificates.host'), t('certificates.issuer'), t('certificates.until')]}
          rows={data.certificates.map((certificate) => ({
            key: certificate.of,
            cells: [
              t(`certificates.server.${certificate.of}`),
              certificate.host,
              certificate.issuer,
              certificate.ends_at === null ? certificate.failure : formatTime(certificate.ends_at),
            ],
          }))}
        />
      )}
    </Panel>
  )
}
