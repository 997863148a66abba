export { Alerts, type AlertsOptions } from './alerts.ts'
