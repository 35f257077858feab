export function descriptorsOn(path: string): number;
