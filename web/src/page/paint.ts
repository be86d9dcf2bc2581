// Colours as numbers: what style sheets have as words; and a canvas to paint on.

function channels(colour: string): [number, number, number] {
    if (colour.startsWith("#")) {
        const number = parseInt(colour.slice(1), 16);
        return [number >> 16, number >> 8 & 255, number & 255];
    }
    const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
    return [red, green, blue];
}

/** As ImageData has it. */
export function pixel(colour: string): number {
    const [red, green, blue] = channels(colour);
    return (0xff000000 | blue << 16 | green << 8 | red) >>> 0;
}

export function mix(from: string, to: string, share: number): string {
    const one = channels(from);
    const other = channels(to);
    const between = (at: 0 | 1 | 2): number => Math.round(one[at] + (other[at] - one[at]) * share);
    return `rgb(${between(0)},${between(1)},${between(2)})`;
}

export function luminance(colour: string): number {
    const [red, green, blue] = channels(colour);
    const light = (value: number): number => (value / 255) ** 2.2;
    return 0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue);
}

/** Makes it so large, in pixels of the page, and empty; tells how many pixels of the screen each of these has. */
export function clearCanvas(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, width: number, height: number, ground: string): number {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = ground;
    context.fillRect(0, 0, width, height);
    context.textBaseline = "middle";
    return ratio;
}
