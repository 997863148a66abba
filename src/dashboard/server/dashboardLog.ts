/** What the dashboard says of itself. Never the token. */
export interface DashboardLog {
  info(message: string): void
  warn(message: string): void
}
