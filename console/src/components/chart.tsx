export { TimeChart as Chart } from './chart/time-chart'
