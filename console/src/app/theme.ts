import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** Cobalt: the one accent. */
const accent: MantineColorsTuple = [
  '#eef3ff',
  '#dbe5fd',
  '#b4c8f9',
  '#8aa8f5',
  '#678cf1',
  '#4a74ec',
  '#3763e4',
  '#2a55d4',
  '#2148b4',
  '#193a94',
]

/** Neutral, a breath cool; the darkest are the grounds of the dark theme. */
const gray: MantineColorsTuple = [
  '#f8f9fa',
  '#f1f3f5',
  '#e6e8eb',
  '#d7dbdf',
  '#c1c8cd',
  '#9aa2aa',
  '#687076',
  '#4b5258',
  '#2f353a',
  '#1a1d21',
]

const dark: MantineColorsTuple = [
  '#d5d9de',
  '#b4bac1',
  '#969da6',
  '#6d757e',
  '#3f454c',
  '#2f343a',
  '#24282d',
  '#191c20',
  '#141517',
  '#0e0f11',
]

const fontFamily =
  'Inter, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif'
const fontFamilyMonospace = 'ui-monospace, SFMono-Regular, "JetBrains Mono", Menlo, Consolas, monospace'

/** The kit paints it like the page. */
const onPanel = { backgroundColor: 'var(--panel)' } as const

/** Calm, dense, precise. Behaviour and defaults here, looks that need selectors in theme.css. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, gray, dark },
  fontFamily,
  fontFamilyMonospace,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '22px' }, h2: { fontSize: '18px' }, h3: { fontSize: '15px' }, h4: { fontSize: '14px' } },
  },
  defaultRadius: 6,
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // The specification's phone width.
  breakpoints: { xs: '37.5em', sm: '48em', md: '62em', lg: '75em', xl: '88em' },
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 30 } },
    TextInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', comboboxProps: { shadow: 'md' } } },
    MultiSelect: { defaultProps: { size: 'sm', comboboxProps: { shadow: 'md' } } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true, multiline: true, maw: 360 } },
    Menu: { defaultProps: { shadow: 'md', radius: 8 } },
    Modal: { defaultProps: { radius: 10, overlayProps: { backgroundOpacity: 0.45 } }, styles: { header: onPanel } },
    Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.35 } }, styles: { header: onPanel } },
    Badge: {
      defaultProps: { variant: 'light', radius: 4, size: 'sm', tt: 'none', fw: 500 },
      // A word for a state is never cut to make room.
      styles: { root: { maxWidth: 'none', flexShrink: 0 }, label: { overflow: 'visible' } },
    },
    // Room for the ring of a field that has the focus.
    InputWrapper: { styles: { label: { marginBottom: 3 } } },
    Paper: {
      defaultProps: { radius: 8, withBorder: true },
      styles: { root: { borderColor: 'var(--line)', backgroundColor: 'var(--panel)' } },
    },
    Table: { defaultProps: { borderColor: 'var(--line)' } },
    SegmentedControl: { styles: { root: { backgroundColor: 'var(--track)' } } },
  },
})

/** White stands on it. */
const filledRed = { '--mantine-color-red-filled': '#cf2a2a', '--mantine-color-red-filled-hover': '#b92323' } as const

/** Where the kit's own variables are not readable enough: AA contrast on every ground. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5f676e',
    '--mantine-color-placeholder': '#6c747c',
    '--mantine-color-error': '#c42424',
    ...filledRed,
    '--mantine-color-yellow-light-color': '#855200',
    '--mantine-color-orange-light-color': '#a33b06',
    '--mantine-color-green-light-color': '#1d6b2e',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-blue-light-color': '#1560a8',
    '--mantine-color-gray-light-color': '#565e65',
  },
  dark: {
    '--mantine-color-body': '#141517',
    '--mantine-color-dimmed': '#9aa2aa',
    '--mantine-color-placeholder': '#8a929a',
    '--mantine-color-error': '#ff7b7b',
    ...filledRed,
    // The kit's are darker than the panels they lie on.
    '--mantine-color-gray-light': '#2a2f35',
    '--mantine-color-gray-light-hover': '#32383f',
    '--mantine-color-gray-light-color': '#c1c8cd',
    '--mantine-color-accent-light': '#1c2a55',
    '--mantine-color-accent-light-hover': '#233467',
  },
})
