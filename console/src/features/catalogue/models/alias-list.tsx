import { Anchor, Code, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { useTranslation } from '../../../lib/text/i18n'

interface AliasListProps {
  readonly aliases: readonly { readonly name: string; readonly models: readonly string[] }[]
}

/** The names that the site made, with the models by whose prices their calls are charged. */
export function AliasList({ aliases }: AliasListProps) {
  const { t } = useTranslation('pricing')
  return (
    <Stack gap="xs" mt="lg" component="section">
      <Title order={2} fz="md">
        {t('aliases.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('aliases.hint')}
      </Text>
      {aliases.map(({ name, models }) => (
        <Group key={name} gap="sm">
          <Code>{name}</Code>
          {models.map((model) => (
            <Anchor
              key={model}
              size="sm"
              renderRoot={(props) => <Link to="/pricing" search={{ keyword: model }} {...props} />}
            >
              {model}
            </Anchor>
          ))}
        </Group>
      ))}
    </Stack>
  )
}
