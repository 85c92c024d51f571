/** `SOURCE (path, URL or owner/repo)`: an argument as an error names it. */
export function describeArgument(argument: { name: string; description?: string }): string {
  const { name, description } = argument;
  return description === undefined
    ? name.toUpperCase()
    : `${name.toUpperCase()} (${description.replace(/\.$/, '')})`;
}
