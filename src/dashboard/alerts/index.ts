export { Alerts } from './alerts.ts'
