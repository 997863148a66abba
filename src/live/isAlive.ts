/** Whether a process of this machine runs. One of somebody else's, which may not be signalled, is alive too. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
