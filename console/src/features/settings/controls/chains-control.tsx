import { Checkbox, Group, Input, Stack } from '@mantine/core'
import { chainReasons, maxChainLength } from '@tollgate/contract'

import { ModelSelect } from '../../../components/combobox/model-select'
import { useTranslation } from '../../../lib/text/i18n'
import { useTyped } from '../../../lib/text/use-typed'
import classes from '../settings.module.css'
import { Add, Remove } from './aliases-control'
import { CodeControl } from './code-control'
import type { ControlProps } from './control-props'
import { chainsOf, chainText, type TypedChain } from './model-names'

const freeName = (text: string) => ({ value: text, label: text })

/** Edits chains: of each model or alias what is tried when it does not serve. */
export function ChainsControl(props: ControlProps) {
  const { field, value, onChange, isDisabled } = props
  const { t } = useTranslation('model-names')
  const [chains, setChains] = useTyped(value, onChange, {
    show: chainsOf,
    read: (typed: readonly TypedChain[] | undefined) => chainText(typed ?? []),
  })
  if (!chains) return <CodeControl {...props} />
  return (
    <Input.Wrapper {...field} labelElement="div">
      <Stack gap="md" className={classes.editor}>
        {chains.map((chain, at) => {
          const write = (changed: Partial<TypedChain>) => setChains(chains.with(at, { ...chain, ...changed }))
          return (
            // Chains have no identity but their place while their names are typed.
            <div key={at} className={classes.named}>
              <Group gap="xs" wrap="nowrap" align="flex-end">
                <ModelSelect
                  of="site"
                  size="xs"
                  flex={1}
                  label={t('chain.of')}
                  value={chain.name}
                  onChange={(name) => write({ name: name ?? '' })}
                  free={freeName}
                  disabled={isDisabled}
                />
                <Remove
                  label={t('chain.remove', { name: chain.name || at + 1 })}
                  onClick={() => setChains(chains.filter((_, index) => index !== at))}
                  isDisabled={isDisabled}
                />
              </Group>
              {chain.models.map((model, index) => (
                <Group key={index} gap="xs" wrap="nowrap" align="flex-end" mt="xs" pl="md">
                  <ModelSelect
                    of="site"
                    size="xs"
                    flex={1}
                    label={t('chain.then', { place: index + 1 })}
                    value={model}
                    onChange={(name) => write({ models: chain.models.with(index, name ?? '') })}
                    free={freeName}
                    disabled={isDisabled}
                  />
                  <Remove
                    label={t('chain.removeModel', { name: model || index + 1 })}
                    onClick={() => write({ models: chain.models.filter((_, other) => other !== index) })}
                    isDisabled={isDisabled || chain.models.length === 1}
                  />
                </Group>
              ))}
              <Group gap="lg" align="flex-end">
                <Add
                  text={t('chain.addModel')}
                  onClick={() => write({ models: [...chain.models, ''] })}
                  isDisabled={isDisabled || chain.models.length >= maxChainLength}
                />
                <Checkbox.Group
                  size="xs"
                  label={t('chain.on')}
                  value={[...chain.on]}
                  onChange={(on) => write({ on: chainReasons.filter((reason) => on.includes(reason)) })}
                >
                  <Group gap="sm" h={30}>
                    {chainReasons.map((reason) => (
                      <Checkbox
                        key={reason}
                        size="xs"
                        value={reason}
                        label={t(`chain.reason.${reason}`)}
                        disabled={isDisabled}
                      />
                    ))}
                  </Group>
                </Checkbox.Group>
              </Group>
            </div>
          )
        })}
        <Add
          text={t('chain.add')}
          onClick={() => setChains([...chains, { name: '', models: [''], on: chainReasons }])}
          isDisabled={isDisabled}
        />
      </Stack>
    </Input.Wrapper>
  )
}
