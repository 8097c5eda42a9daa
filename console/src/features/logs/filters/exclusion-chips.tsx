import { UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { useTranslation } from '../../../lib/text/i18n'
import { ChannelName } from '../channel-name'
import { excludedValues, removeExclusion } from './exclusions'
import type { LogSearch } from '../log-search'
import classes from '../logs.module.css'

interface ExclusionChipsProps {
  readonly search: LogSearch
  readonly onChange: (change: LogSearch) => void
}

/** A chip for each excluded value; its close button includes the value again. */
export function ExclusionChips({ search: { not }, onChange }: ExclusionChipsProps) {
  const { t } = useTranslation('logs')
  return excludedValues(not).map(({ name, value }) => (
    <span key={`${name} ${value}`} className={classes.chip} data-is-not>
      <span className={classes.chipText}>
        <span className={classes.chipName}>{t('filter.isNot', { name: t(`filter.${name}`) })}</span>{' '}
        {name === 'channel' ? <ChannelName id={Number(value)} /> : value}
      </span>
      <UnstyledButton
        className={classes.chipOff}
        aria-label={t('filter.include', { name: t(`filter.${name}`), value })}
        onClick={() => onChange({ not: removeExclusion(not, { name, value }) })}
      >
        <IconX size={12} />
      </UnstyledButton>
    </span>
  ))
}
