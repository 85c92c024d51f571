/** Whether a variable of the environment is set, non-empty and not 0, false, no or off (library contract 13). */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && !/^(0|false|no|off)$/i.test(value.trim());
}
