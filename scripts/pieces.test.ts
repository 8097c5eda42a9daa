import { expect, test } from 'bun:test'

import { copiesIn } from './pieces'

test.each([
  ["import { Button, Select, Text } from '@mantine/core'", 'Select of @mantine/core'],
  ["import {\n  Button,\n  NativeSelect,\n} from '@mantine/core'", 'NativeSelect of @mantine/core'],
  ["import { DatePicker } from '@mantine/dates'", '* of @mantine/dates'],
  ["import { Stack, Tabs } from '@mantine/core'", 'Tabs of @mantine/core'],
  ["import { Pagination } from '@mantine/core'", 'Pagination of @mantine/core'],
  ["import { Button, TagsInput } from '@mantine/core'", 'TagsInput of @mantine/core'],
  ['return <NumberInput prefix="$" />', 'prefix="$"'],
  ['return <select name="a" />', '<select'],
  ["if (confirm('Sure?')) remove()", 'confirm('],
])('%j is a copy of a piece', (code, what) => {
  expect(copiesIn('a.tsx', code)).toEqual([expect.stringContaining(`a.tsx:1: ${what} (use `)])
})

test.each([
  "import { SearchSelect } from '../../components/combobox/search-select'",
  "import { PanelTabs } from '../../components/panel-tabs'",
  "import type { Select } from '@mantine/core'",
  'form.confirm()',
  '<SelectAll />',
])('%j is not', (code) => {
  expect(copiesIn('a.tsx', code)).toEqual([])
})

test('a copy is told with its line', () => {
  expect(copiesIn('a.tsx', "import { Text } from '@mantine/core'\n\nconst a = <select />")[0]).toStartWith(
    'a.tsx:3: <select',
  )
})
