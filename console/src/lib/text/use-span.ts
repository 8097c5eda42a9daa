import { useTranslation } from './i18n'

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Returns a formatter of durations in their largest unit, such as "3 days". */
export function useSpan(): (seconds: number) => string {
  const { language } = useTranslation()
  return (seconds) => {
    const [unit, size] = units.find((one) => seconds >= one[1]) ?? units[3]
    const value = Math.round(seconds / size)
    const text = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
    // As relative times have it: a space between a figure and a Chinese word.
    return text.replace(/(\d)(\p{Script=Han})/u, '$1 $2')
  }
}
